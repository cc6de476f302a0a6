"""`opgen explain`: prints the documentation of a rule, a key or an op."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from opgen.cli.console import op_of, read_config, read_project
from opgen.source.failure import Failure
from opgen.spec.config import Config

if TYPE_CHECKING:
    from opgen.ir.op import Op


def explain(
    name: str | None,
    mesh: tuple[tuple[str, int], ...] | None = None,
    splits: Sequence[tuple[str, tuple[tuple[str, ...], ...]]] = (),
    sizes: tuple[tuple[str, object], ...] = (),
) -> int:
    """Print the documentation of a rule or of a key, or everything that opgen knows about an op.

    If a key and an op have the same name, `ops.NAME` selects the op. With a device mesh, print how
    a call of the op is split over the mesh.
    """
    from opgen.docs import rule_index

    if mesh is not None:
        if name is None:
            raise Failure("of which op? `opgen explain OP --mesh d=4`")
        return _explain_sharding(name.removeprefix("ops."), dict(mesh), dict(splits), dict(sizes))
    if splits or sizes:
        raise Failure("`--split` and `--sizes` go with `--mesh`")
    if name is None:
        for each in rule_index.entries():
            print(f"{each.id}  {each.name:27} {each.doc.partition(chr(10))[0]}")
        return 0
    from opgen.docs import reference

    entry, keys = rule_index.find(name), reference.find(name)
    if keys:  # the user can select a rule that has the same name by its id
        print("\n".join(map(reference.text_of, keys)), end="")
        return 0
    if entry is not None:
        print(f"{entry.id} {entry.name}\n\n{entry.doc.strip()}")
        return 0
    return _explain_op(name.removeprefix("ops."))


def _explain_op(name: str) -> int:
    from opgen.docs.explain import explain_op

    sys.stdout.write(explain_op(_op(name, read_config([], "text"))))
    return 0


def _explain_sharding(
    name: str,
    mesh: dict[str, int],
    splits: dict[str, tuple[tuple[str, ...], ...]],
    sizes: dict[str, object],
) -> int:
    from opgen.docs.explain_sharding import explain_sharding

    config = read_config([], "text")
    sys.stdout.write(explain_sharding(config, _op(name, config), mesh, splits, sizes))
    return 0


def _op(name: str, config: Config) -> Op:
    return op_of(read_project([], config, tables=True), name, "rule, key or op")
