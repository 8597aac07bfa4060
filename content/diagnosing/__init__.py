"""The diagnoser in words: ids and numbers of a report as sentences, in either language."""
