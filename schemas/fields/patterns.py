"""Patterns that fields of several families share."""

# A plan is text in which these characters separate its parts (contract 1.10).
NO_GRAMMAR_BREAKER = r"[^;\t\r\n]+"

# One to five letters, sometimes with a digit or two: `NGP`, `ON`, `NIL`.
STATION_CODE = r"[A-Z]{1,5}\d{0,2}"

# 24 hours, with leading zeros (contract 1.1).
CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d"
