"""What a table is: fields, tables, vocabularies, units and regions.

Everything here is declaration or is generated from a declaration. Nothing here reads a provider, the clock or the
network; the packages `sources` and `warehouse` meet at these types and import nothing of each other.
"""
