"""Files as text: read files, locate values in TOML, and report mistakes."""
