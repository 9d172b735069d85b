"""A release: an immutable folder of checked tables, how it comes to be, and how it is looked at and trusted.

`publish` writes one, `store` lists, verifies and switches them, `manifest` says what is in one. Nothing here derives or
judges rows. Layout of the folder of releases:

    CURRENT                     id of the release that readers open, one line
    <id>/manifest.json          what is inside, with the SHA-256 of every other file
    <id>/manifest.sha256        the manifest's own SHA-256
    <id>/tables/<table>.parquet
    <id>/quarantine/            rejects.parquet, merges.parquet, unmapped.parquet
    <id>/report/                index.html for people, report.json for programs
    <id>/datapackage.json
    .staging-*                  a release in the making, or what a killed build left; the next publish removes it
"""
