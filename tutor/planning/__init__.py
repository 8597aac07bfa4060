"""The room plan, as the command and the screen show it: what people write, and the table."""
