"""Small language models that learn a text from Python's own documentation."""
