"""Build complete ops: apply `like`, templates, `{name}`, `false` and `order`.

This module works on the TOML tables of a spec. `origin` finds the path at which a value of a merged
op is written, so that a diagnostic can point into a template.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from opgen.source.work import spend
from opgen.spec.tables import MERGED, REPLACED, TENSOR_TABLES

Table = dict[str, Any]
Document = Mapping[str, Any]
Path = tuple[str | int, ...]


# The maximum length of a chain in which each op or template inherits from the next by `like`.
DEEPEST = 16


class LikeError(Exception):
    """Error for an unknown, circular or too deep `like` in the entry `op` of `section`."""

    def __init__(self, message: str, section: str, op: str) -> None:
        super().__init__(message)
        self.section, self.op = section, op


def whole_op(document: Document, name: str) -> Table:
    """Return the op `name` with everything that it inherits by `like`. Raises `LikeError`."""
    table = _inherited(document, "ops", name, ())
    spend(4 * len(table))
    return {key: _filled(value, name) for key, value in table.items()}


def parents(document: Document, section: str, name: str) -> list[tuple[str, str]]:
    """Return (section, name) of an op or template and of all its ancestors, nearest first."""
    chain = [(section, name)]
    while True:
        section, name = chain[-1]
        like = document.get(section, {}).get(name, {}).get("like")
        if not isinstance(like, str):
            return chain
        found = _find(document, like)
        if found is None or found in chain or len(chain) > DEEPEST + 1:
            return chain
        chain.append(found)


def origin(document: Document, op: str, path: Path) -> Path:
    """Return the TOML path at which the spec has the value at `path` of the merged op `op`.

    If the spec does not have the value, returns the path of the innermost existing table around it.
    """
    best: Path = ("ops", op)
    for section, name in parents(document, "ops", op):
        node, depth = document[section][name], 0
        for key in path:
            if isinstance(node, dict) and key in node:
                node = node[key]
            elif isinstance(node, list) and isinstance(key, int) and key < len(node):
                node = node[key]
            else:
                break
            depth += 1
        if depth == len(path):
            return (section, name, *path)
        if depth + 2 > len(best):
            best = (section, name, *path[:depth])
    return best


def _find(document: Document, name: str) -> tuple[str, str] | None:
    for section in ("templates", "ops"):
        if name in document.get(section, {}):
            return section, name
    return None


def _inherited(
    document: Document, section: str, name: str, seen: tuple[tuple[str, str], ...]
) -> Table:
    own = dict(document[section][name])
    like = own.pop("like", None)
    if like is None:
        return merge({}, own)
    found = _find(document, like)
    if found is None:
        raise LikeError(
            f"`like` names `{like}`, which is neither an op nor a template", section, name
        )
    if found in seen or found == (section, name):
        raise LikeError(f"`like` leads from `{name}` back to itself", section, name)
    if len(seen) > DEEPEST:
        raise LikeError(f"`like` leads on more than {DEEPEST} times", section, name)
    return merge(_inherited(document, *found, (*seen, (section, name))), own)


def idle(document: Document) -> Iterator[tuple[Path, bool, str, tuple[str, ...]]]:
    """Yield the entries `false`, and the names in `order`, that have no effect.

    Each result is (path, is `false`, name, valid names). The second item is True for an entry
    `false`, and False for a name in `order`. `false` has no effect if the op does not inherit the
    entry. A name in `order` has no effect if there is no entry of this name.
    """
    for op, table in document.get("ops", {}).items():
        if not _drops(table):
            continue
        try:
            base, whole = _base(document, table), whole_op(document, op)
        except LikeError:
            continue
        for key, value in table.items():
            path = ("ops", op, key)
            if value is False and key not in base:
                yield path, True, key, tuple(base)
            elif key in MERGED and isinstance(value, Mapping):
                inherited = base.get(key, {})
                for entry, item in value.items():
                    if item is False and entry not in inherited:
                        yield (*path, entry), True, entry, tuple(inherited)
                    elif key in TENSOR_TABLES and entry == "order" and isinstance(item, list):
                        known = tuple(whole.get(key, {}))
                        for n, name in enumerate(item):
                            if name not in known:
                                yield (*path, entry, n), False, name, known


def _drops(table: Mapping[str, Any]) -> bool:
    """Return whether the table of an op contains `false` or `order`."""
    return any(
        value is False
        or isinstance(value, Mapping)
        and (False in value.values() or "order" in value)
        for value in table.values()
    )


def _base(document: Document, table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the merged table that an op inherits by `like`, or {}. Raises `LikeError`."""
    like = table.get("like")
    if like is None:
        return {}
    every = {**document.get("ops", {}), **document.get("templates", {})}
    if like not in every:
        raise LikeError(f"no `{like}`", "ops", like)
    return whole_op({**document, "ops": every}, like)


def merge(base: Table, own: Table) -> Table:
    """Return the inherited table `base`, changed by `own`, the op's own table.

    Tables named in `MERGED`, such as `inputs`, merge entry by entry. Two entries of the same name
    merge key by key. Tables named in `REPLACED`, such as `grad`, replace the inherited table. All
    other tables merge key by key, and values other than tables are replaced. `false` removes a
    table or an entry.
    """
    merged = dict(base)
    spend(len(base))
    for key, value in own.items():
        if value is False:
            merged.pop(key, None)
        elif key in MERGED and isinstance(value, dict):
            merged[key] = _merge_entries(merged.get(key, {}), value, key in TENSOR_TABLES)
        elif _laid_over(key, merged.get(key), value):
            merged[key] = {**merged[key], **value}
        else:
            merged[key] = value
    return merged


def _laid_over(key: str, base: object, own: object) -> bool:
    return key not in REPLACED and isinstance(base, dict) and isinstance(own, dict)


def _merge_entries(base: Table, own: Table, ordered: bool) -> Table:
    """Merge the entries of a table; `ordered` is True if the table may have the key `order`."""
    entries = dict(base)
    spend(len(base))
    order = None
    for name, entry in own.items():
        if ordered and name == "order" and isinstance(entry, list):
            order = entry
        elif entry is False:
            entries.pop(name, None)
        elif isinstance(entry, dict) and isinstance(entries.get(name), dict):
            entries[name] = {**entries[name], **entry}
        else:
            entries[name] = entry
    if order is not None:
        rest = [name for name in entries if name not in order]
        entries = {name: entries[name] for name in [*order, *rest] if name in entries}
    return entries


def _filled(value: object, name: str) -> object:
    if isinstance(value, str):
        if "{name}" not in value:
            return value
        spend(len(value) // 20)
        return value.replace("{name}", name)
    if isinstance(value, dict | list):
        spend(4 * len(value) + len(value) ** 2 // 200)  # every pair of entries may be compared
    if isinstance(value, dict):
        return {key: _filled(item, name) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, name) for item in value]
    return value
