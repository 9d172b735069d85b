"""The page a person reads about a release or about a build that published nothing, and the same as JSON.

`facts` gathers what is to be said, `page` draws it, `failed` writes it for a build whose checks said no. The numbers
come from `warehouse.release.measure`; nothing is counted twice.
"""
