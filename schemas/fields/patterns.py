"""Patterns that fields of several families share."""

# A plan is text in which these characters separate its parts (contract 1.10).
NO_GRAMMAR_BREAKER = r"[^;\t\r\n]+"
