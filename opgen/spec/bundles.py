"""Expand bundles, which combine several tensors into one argument or result, to single tensors.

`inputs.w = { bundle = "quantized" }` becomes one input for each member of `[bundles.quantized]`,
such as `w_data` and `w_scale`. If the op has keys under the name of such an input, they override
the member's keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from opgen.source.work import spend

Table = Mapping[str, Any]
ROLES = ("inputs", "outputs")
# The keys that may be next to `bundle` in an input or output. All other keys belong to a member.
KEYS = ("bundle", "members", "rename", "doc", "optional", "when")


class MemberSpec(NamedTuple):
    """A member of a bundle. `shapes` has its shapes: one for each case and each rank."""

    name: str
    optional: bool
    shapes: tuple[str, ...]


class BundleSpec(NamedTuple):
    """An input or output `name` of an op that is a bundle of the type `kind`.

    `members` maps each member to the name of its tensor, or to None if the op leaves out the
    member. `always` is True if every call has the bundle. `defaults` are the optional members at
    the end of the bundle. In the spec, the input or output has the keys `given`. The table
    `members` has the keys `chosen`, and the table `rename` has the keys `dims`.
    """

    name: str
    role: str
    kind: str
    members: Mapping[str, str | None]
    docs: Mapping[str, str]
    defaults: tuple[str, ...]
    always: bool
    given: tuple[str, ...]
    chosen: tuple[str, ...]
    dims: tuple[str, ...]

    @property
    def path(self) -> tuple[str, str]:
        return self.role, self.name


def read_bundles(table: Table) -> dict[str, tuple[MemberSpec, ...]]:
    """Return the members of each bundle in `table`, the table `[bundles]` of a file."""
    return {
        kind: tuple(
            MemberSpec(name, bool(entry.get("optional")), tuple(_texts(entry.get("shape"))))
            for name, entry in members.items()
        )
        for kind, members in table.items()
    }


def _texts(value: object) -> Iterator[str]:
    """Yield all strings in a value, including those in nested lists and tables."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def spread(table: Table, bundles: Table) -> tuple[Table, tuple[BundleSpec, ...]]:
    """Return an op's table with one tensor per member in place of each bundle.

    `bundles` is the table `[bundles]` of the file. Also returns the inputs and outputs that are
    bundles.
    """
    found: list[BundleSpec] = []
    whole = dict(table)
    for role in ROLES:
        entries = table.get(role)
        if not isinstance(entries, dict):
            continue
        uses = {n: _Use(n, role, e, entries, bundles) for n, e in entries.items() if _is_use(e)}
        if not uses:
            continue
        made = {flat for use in uses.values() for flat in use.tensors}
        whole[role] = {}
        for name, entry in entries.items():
            if name in uses:
                whole[role] |= uses[name].tensors
            elif name not in made:
                whole[role][name] = entry
        more = [text for use in uses.values() for text in use.require]
        if more:
            whole["require"] = [*whole.get("require", ()), *more]
        found += [use.spec for use in uses.values()]
    return whole, tuple(found)


def _is_use(entry: object) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("bundle"), str)


class _Use:
    """The tensors of one input or output that is a bundle."""

    def __init__(self, name: str, role: str, entry: Table, entries: Table, bundles: Table) -> None:
        self.name, self.role, self.entry, self.entries = name, role, entry, entries
        bundle = bundles.get(entry["bundle"], {})
        self.bundle: Table = {m: t for m, t in bundle.items() if isinstance(t, dict)}
        chosen = entry.get("members", [*self.bundle])
        self.members = {m: f"{name}_{m}" for m in self.bundle if m in chosen}
        sure = [m for m in self.members if not self.bundle[m].get("optional")]
        self.first = self.members[sure[0]] if sure else ""
        self.require: list[dict[str, str]] = []
        self.tensors = {flat: self._tensor(m, flat) for m, flat in self.members.items()}

    @property
    def spec(self) -> BundleSpec:
        return BundleSpec(
            name=self.name,
            role=self.role,
            kind=self.entry["bundle"],
            members={m: self.members.get(m) for m in self.bundle},
            docs={m: str(t.get("doc", "")) for m, t in self.bundle.items()},
            defaults=tuple(reversed([*self._defaults()])),
            always=not self.entry.get("optional") and "when" not in self.entry,
            given=tuple(self.entry),
            chosen=tuple(self.entry.get("members", ())),
            dims=tuple(self.entry.get("rename", ())),
        )

    def _defaults(self) -> Iterator[str]:
        for member in reversed([*self.bundle]):
            if not self.bundle[member].get("optional"):
                return
            yield member

    def _tensor(self, member: str, flat: str) -> Table:
        """Return the table of the tensor `flat`, which holds `member` of this bundle."""
        entry, own = self.entry, self.entries.get(flat)
        made = {k: _renamed(v, entry.get("rename") or {}) for k, v in self.bundle[member].items()}
        maybe, when = bool(made.get("optional")), entry.get("when")
        if self.role == "outputs":
            made |= {"optional": True} if entry.get("optional") else {}
            made |= {"when": when} if when else {}
        elif entry.get("optional"):
            if not maybe:
                first = flat == self.first
                made |= {"optional": True} if first else {"when": f"present({self.first})"}
            elif self.first:
                holds = f"present({self.first}) or not present({flat})"
                self.require.append({holds: f"`{self.first}` where there is `{flat}`"})
        elif when:
            if maybe:
                only = f"{when} where there is `{flat}`"
                self.require.append({f"not present({flat}) or ({when})": only})
            else:
                made["when"] = when
        made |= own if isinstance(own, dict) else {}
        if "when" in made and (self.role == "outputs" or isinstance(own, dict) and "when" in own):
            made.pop("optional", None)
        return made


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return `value` with names in its strings replaced; `names` maps old to new names."""
    spend(4)
    if isinstance(value, str):
        return re.sub(r"'[^']*'|[A-Za-z_]\w*", lambda m: names.get(m[0], m[0]), value)
    if isinstance(value, list):
        return [_renamed(each, names) for each in value]
    if isinstance(value, dict):
        return {_renamed(k, names): _renamed(v, names) for k, v in value.items()}
    return value
