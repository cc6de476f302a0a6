"""Files as text: reading them, where things stand in them, and reporting what is wrong."""
