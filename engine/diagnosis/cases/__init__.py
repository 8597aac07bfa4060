"""A scenario with everything that can be computed of it: placement, ledger, room, times."""
