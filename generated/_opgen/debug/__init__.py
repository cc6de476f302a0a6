"""Shadowed calls, which are compared with the reference, and replays of recorded calls.

In a package, this folder has only this file. opgen has the other modules, and the package imports
them on request. The import raises ImportError if opgen is not installed, or if another opgen
version rendered the package.
"""

import sys
from typing import Any

if __package__ != "opgen.runtime.debug":
    _runtime: Any = sys.modules[__package__.removesuffix(".debug")]
    _package = _runtime.__name__.removesuffix("._opgen")
    _asked = f"install opgen {_runtime.VERSION} to shadow or replay calls of {_package}"
    try:
        from opgen.runtime import debug, runtime_hash
    except ImportError:
        raise ImportError(_asked) from None
    if runtime_hash() != _runtime.HASH:
        raise ImportError(f"{_asked}: the one here has another runtime ({runtime_hash()})")
    __path__ = debug.__path__
