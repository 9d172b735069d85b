"""District: events in Indian cities, from the data that their pages carry for search engines."""
