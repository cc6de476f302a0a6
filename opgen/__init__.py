"""Generate the code that PyTorch and JAX need around a hand-written kernel, from one TOML spec."""

from __future__ import annotations

from opgen.source.version import __version__

__all__ = ["LoadError", "__version__", "load", "load_library"]


def __getattr__(name: str) -> object:
    """Import `LoadError`, `load` and `load_library` when a program first uses them."""
    if name in __all__:
        from opgen.build import loading

        return getattr(loading, name)
    raise AttributeError(f"module `opgen` has no attribute `{name}`")
