"""`my_ops`, on the CPU. Rendered by opgen."""
