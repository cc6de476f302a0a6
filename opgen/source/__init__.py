"""Files as text: reading them, the locations of values in them, and reporting what is wrong."""
