"""opgen writes everything PyTorch and JAX need around a hand-written kernel, from one TOML spec."""

__version__ = "0.1.0"
