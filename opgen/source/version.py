"""The version of opgen, which rendered packages include."""

__version__ = "0.2.0"
