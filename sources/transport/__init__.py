"""How providers are asked: one way for all of them, polite, bounded, and silent about keys.

`session.Transport` is the door. What an answer means is a parser's business; when to ask is the pipeline's.
"""
