"""Small language models that learn a text which comes with Python."""
