"""Says. Every word a person reads, in both languages, as data, with its schema and reader."""
