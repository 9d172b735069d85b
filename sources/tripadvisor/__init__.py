"""TripAdvisor: the Content API, which ended on 2026-08-31, and Terra, which took its place."""
