"""OpenStreetMap through Overpass: transit stops of every city and its surroundings."""
