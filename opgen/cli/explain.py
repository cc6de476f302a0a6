"""`opgen explain`: the meaning of a rule or key, and the resolved facts of an op."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from opgen.cli.console import Failure, print_found, read_config
from opgen.compiler.discovery import spec_files
from opgen.spec.config import Config

if TYPE_CHECKING:
    from opgen.ir.op import Op


def explain(
    name: str | None,
    mesh: tuple[tuple[str, int], ...] | None = None,
    splits: Sequence[tuple[str, tuple[tuple[str, ...], ...]]] = (),
    sizes: tuple[tuple[str, object], ...] = (),
) -> int:
    """Print the documentation of a rule or of a key, or the resolved facts of an op.

    If a key and an op have the same name, use `ops.NAME` for the op. With a mesh, print how the op
    is split over it.
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
    if keys:  # a rule with the name of a key is selected by its number
        print("\n".join(map(reference.text_of, keys)), end="")
        return 0
    if entry is not None:
        print(f"{entry.id} {entry.name}\n\n{entry.doc.strip()}")
        return 0
    return _explain_op(name.removeprefix("ops."))


def _explain_op(name: str) -> int:
    from opgen.docs.explain import explain_op

    op = _op(name, read_config([], "text"))
    if op is not None:
        sys.stdout.write(explain_op(op))
    return 0 if op else 1


def _explain_sharding(
    name: str,
    mesh: dict[str, int],
    splits: dict[str, tuple[tuple[str, ...], ...]],
    sizes: dict[str, object],
) -> int:
    from opgen.docs.explain_sharding import ExplainError, explain_sharding

    config = read_config([], "text")
    op = _op(name, config)
    if op is None:
        return 1
    try:
        sys.stdout.write(explain_sharding(config, op, mesh, splits, sizes))
    except ExplainError as error:
        raise Failure(str(error)) from error
    return 0


def _op(name: str, config: Config) -> Op | None:
    """Return an op of the project. If its specs are wrong, print the mistakes and return None."""
    from opgen.compiler.pipeline import load
    from opgen.source.diagnostics import did_you_mean

    project, found, sources = load(spec_files([], config), config, tables=True)
    if project is None:
        print_found(found, sources, "text")
        return None
    names = [op.name for op in project.ops]
    if name not in names:
        raise Failure(f"there is no rule, key or op `{name}`: {did_you_mean(name, names)}")
    return project.op(name)
