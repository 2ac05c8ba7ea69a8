"""Chapters of experiments: each module turns the result of one kind into findings, tables and figures."""
