"""etrain.info: how late trains were at their stations over a week, a month, three, six, and a year."""
