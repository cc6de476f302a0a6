"""Support for bundles (named tuples of tensors) in programs that `jax.export` saves."""

from __future__ import annotations

_saved: set[type] = set()


def saved(*bundles: type) -> None:
    """Let `jax.export` serialize programs that take or return these bundles."""
    from jax import export  # only packages with bundles need it

    for each in {*bundles} - _saved:
        name = f"{each.__module__}.{each.__name__}"
        export.register_namedtuple_serialization(each, serialized_name=name)
        _saved.add(each)
