"""Group the spec files that share a name.

No two groups share a name, so opgen lints, resolves and renders each group on its own. opgen can
then compile one changed spec alone, and many specs in parallel.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from opgen.compiler.discovery import family_of
from opgen.spec.extensions import extensions
from opgen.spec.spec import Spec


def ties(spec: Spec) -> frozenset[str]:
    """Return every name in a spec that another spec may share.

    These names are its family, ops, backwards and kernels. Some targets write several families into
    one file. The name of such a target is included too.
    """
    found = {f"family {family_of(spec.file)}"}
    for name, extension in extensions().items():
        if extension.together and name in spec.source.text:
            found.add(f"target {name}")
    for name, op in spec.ops.items():
        found |= {name, *(call.op for call in op.calls)}
        for kernel in op.kernels:
            found.update(kernel.symbol.values())
    return frozenset(found)


def groups(tied: Mapping[str, Collection[str]]) -> list[list[str]]:
    """Divide spec files into groups, so that no two groups share a name.

    `tied` has the names of each file. Groups and files are sorted.
    """
    first: dict[str, str] = {}
    above = {file: file for file in tied}

    def root(file: str) -> str:
        while above[file] != file:
            above[file] = file = above[above[file]]
        return file

    for file in sorted(tied):
        for name in tied[file]:
            ours, theirs = root(file), root(first.setdefault(name, file))
            above[max(ours, theirs)] = min(ours, theirs)
    found: dict[str, list[str]] = {}
    for file in sorted(tied):
        found.setdefault(root(file), []).append(file)
    return list(found.values())
