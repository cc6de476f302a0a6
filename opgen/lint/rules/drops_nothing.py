"""`false` drops, or `order` names, an entry that is not there.

What it does: checks that what an op drops with `false` came from what it is `like`, and
that every name in an `order` is an entry of its table.

Why: a misspelt name would change nothing, without a word.

Example:

    [ops.rotary_]
    like           = "rotary"
    inputs.qq      = false

How to fix: correct the name.
"""

from collections.abc import Iterator, Mapping

from opgen.lint.op_context import Project
from opgen.lint.rule import Rule, Stage
from opgen.source.diagnostics import Diagnostic, Where, did_you_mean
from opgen.spec.inheritance import MERGED, LikeError, whole_op

RULE = Rule(
    "OG108", "drops-nothing", Stage.STRUCTURE, on=("project",), overrulable=True
)


def check(project: Project) -> Iterator[Diagnostic]:
    for file, document in project.documents.items():
        for name, table in document.get("ops", {}).items():
            if not _drops(table):
                continue
            try:
                base = _base(document, table)
                whole = whole_op(document, name)
            except LikeError:
                continue
            for key, value in table.items():
                path = (("ops", name, key), file)
                if value is False:
                    yield from _dropped(*path, key, base)
                elif key in MERGED and isinstance(value, Mapping):
                    inherited = base.get(key, {})
                    for entry, item in value.items():
                        below = (("ops", name, key, entry), file)
                        if item is False:
                            yield from _dropped(*below, entry, inherited)
                        elif entry == "order" and isinstance(item, list):
                            yield from _ordered(*below, item, whole.get(key, {}))


def _drops(table: Mapping) -> bool:
    """Whether the op drops or orders anything."""
    for value in table.values():
        if value is False:
            return True
        if isinstance(value, Mapping) and (False in value.values() or "order" in value):
            return True
    return False


def _base(document: Mapping, table: Mapping) -> Mapping:
    """What an op takes over. Raises `LikeError`."""
    like = table.get("like")
    if like is None:
        return {}
    every = {**document.get("ops", {}), **document.get("templates", {})}
    if like not in every:
        raise LikeError(f"no `{like}`", "ops", like)
    return whole_op({**document, "ops": every}, like)


def _dropped(path, file: str, name: str, base: Mapping) -> Iterator[Diagnostic]:
    if name not in base:
        message = f"`{name} = false` drops nothing: there is no `{name}` to take over"
        yield RULE.at(Where(file, path, "key"), message, did_you_mean(name, base))


def _ordered(path, file: str, order: list, entries: Mapping) -> Iterator[Diagnostic]:
    for n, name in enumerate(order):
        if name not in entries:
            message = f"`order` names `{name}`, which is not in the table"
            yield RULE.at(Where(file, (*path, n)), message, did_you_mean(name, entries))
