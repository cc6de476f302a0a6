"""Files as text: read them, locate values in them, and report mistakes."""
