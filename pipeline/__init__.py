"""When things run: the steps of a build, their reuse, Dagster's wiring and the command line."""
