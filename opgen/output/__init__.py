"""Render the IR to files on disk: skip unchanged parts, format Python, write changed files."""
