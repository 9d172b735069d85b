"""What is made of the staged rows: pure functions, Arrow tables in, `schemas.rows.Built` out.

Nothing here reads a file, the clock or the network. Every row that enters a builder leaves it as kept, merged or
quarantined; rows that are right but incomplete are kept with nulls and marked (`visibility`).
"""
