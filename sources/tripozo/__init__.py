"""Tripozo: flights, trains and buses, from pages of which one layout is public.

- `layouts`: one small module for each layout of a page, from bytes to raw rows of texts. A page in a layout that is not
  known yet needs one more module there and nothing else.
- `flights`, `timetables`, `lists`, `buses`: one normaliser for each kind, from raw rows to staged rows or refusals.
- `clocks`, `days`, `money`, `names`: what single texts mean. `page` and `markup`: from an answer to what it shows.
"""
