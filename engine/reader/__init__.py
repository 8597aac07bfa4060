"""Reads text into exact values and trees; nothing is ever evaluated as code."""
