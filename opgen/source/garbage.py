"""Switch off the garbage collector during work that creates many objects and frees few."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Switch off the garbage collector in a `with` block, because nearly all objects stay alive."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            # Both calls together move all objects to the oldest generation. Otherwise, the next
            # collection would search all objects that the block created.
            gc.freeze()
            gc.unfreeze()
            gc.enable()
