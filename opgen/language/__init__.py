"""The notation inside specs: dtypes, expressions, shapes, and the meaning of names."""
