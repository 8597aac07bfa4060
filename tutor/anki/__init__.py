"""Revision for those who revise in Anki: the course as notes of a package that Anki opens."""
