"""The version of opgen. Rendered packages contain this version."""

__version__ = "0.2.0"
