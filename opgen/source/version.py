"""The version of opgen, which what it renders carries."""

__version__ = "0.2.0"
