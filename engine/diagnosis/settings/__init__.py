"""Servers: which engine and version, what its flags set, what holds without them, how a lever is spelled."""
