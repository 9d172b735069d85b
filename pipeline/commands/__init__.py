"""What each command of `utp` does: arguments in, text or one JSON document out, exit status back."""
