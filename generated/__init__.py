"""Rendered by opgen. `torch` and `jax` hold the ops, `core` what they share."""
