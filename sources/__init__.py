"""Where rows come from: providers and tables that people bring. Nothing here knows the warehouse."""
