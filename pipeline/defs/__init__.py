"""Dagster's view of the flow: thin assets, checks, one job. What a step does stands in `pipeline.flow` and below."""
