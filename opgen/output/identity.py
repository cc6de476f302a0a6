"""The package hash: a hash of every rendered file that affects the results of a call.

The names of the libraries contain this hash. So Python never loads a library of another package.
The hash is also part of the cache keys of PyTorch's compilers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from opgen.targets.target import OutputFile

IDENTITY = "core/_package.py"
# Folders without effect on results.
ASIDE = ("docs/", "tests/")
COPIES = ".toml"
# Only a package with one of these files is loaded or built.
LOADED = {"core/__init__.py", "CMakeLists.txt"}

TEXT = '''"""The hash of this package, which the names of its libraries hold. Rendered by opgen."""

PACKAGE_HASH = "{}"
'''


def identity(lines: Mapping[str, str]) -> OutputFile | None:
    """Return the rendered module with the package hash.

    `lines` maps all files to their lines of the manifest. Return None if the package has no Python
    modules to load and no libraries to build.
    """
    from opgen.ir.abi_hash import ABI

    if not LOADED & lines.keys():
        return None
    hashed = hashlib.sha256(f"abi {ABI}\n".encode())
    paths = [p for p in sorted(lines) if not (p.startswith(ASIDE) or p.endswith(COPIES))]
    hashed.update("".join([lines[path] for path in paths if path != IDENTITY]).encode())
    return OutputFile(IDENTITY, TEXT.format(hashed.hexdigest()[:12]))
