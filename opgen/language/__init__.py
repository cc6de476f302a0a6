"""The notation inside specs: dtypes, expressions, shapes, and what names mean."""
