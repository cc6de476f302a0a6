"""`my_ops`. Rendered by opgen."""
