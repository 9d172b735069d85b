"""Bring your own table: a mapping file turns a CSV, JSON or GeoJSON file into staged rows.

`mapping` reads mapping files, `readers` read data files as text, `cells` turn texts into values, `rules` decide which
rows stay, `stage` puts these together, and `preview` shows what came of it. Shipped mappings lie in `mappings/`.
"""
