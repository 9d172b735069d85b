"""Numbeo: what meals, tickets and taxis cost, by city, as its visitors report it."""
