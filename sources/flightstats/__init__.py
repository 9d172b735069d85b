"""FlightStats (Cirium): the flights of a day between two airports, and how punctual each number has been."""
