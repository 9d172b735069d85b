"""What is made of the rows and how it is read: derive, check, publish, report, read."""
