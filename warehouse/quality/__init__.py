"""What must hold before a release: the candidate's files are read back and judged, table by table.

`checks` is the way in. Nothing here repairs a value; `gx.split` alone sorts wrong rows out, before a candidate exists.
"""
