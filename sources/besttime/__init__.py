"""BestTime: the usual crowd of a venue by hour of the week."""
