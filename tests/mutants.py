"""Random changes of specs, by structure and by token; the results are well-formed TOML.

The changes do not depend on the keys that opgen allows in a table. Values, keys and whole ops are
moved within a spec and between specs. Strings are cut into tokens, which are swapped, dropped,
doubled, or replaced by other words of the language.
"""

from __future__ import annotations

import copy
import json
import random
import re
import tomllib
from collections.abc import Iterator
from typing import Any

Table = dict[str, Any]
Path = tuple[str | int, ...]

TOKEN = re.compile(r"\w+|\*\*|//|[<>=!]=|'[^']*'|\s+|.")
# Words of the language, names of files, and words of Python and C++.
WORDS = """
    x y dy dx s n d i T f32 bf16 f64 i32 i64 bool c64 arch sms else none reference
    and or not in if True False None present rank len prod sum numel stride bits accum real
    promote ceildiv roundup min max offsets ascending distinct exp sqrt abs sign erf
    0 1 2 -1 3.5 1e400 63 9 64 + - * / // % ** == != < <= > >= ( ) [ ] , . ' *s *n
    index main core lib cpp torch jax tests docs neuron conftest init runtime bindings
    register class namespace self op desc ctx int float template std opgen generated
""".split()
NAMES = """
    index relu relu_bwd twice torch jax core lib main conftest init_ runtime bindings int
    double std self cls op desc ctx args result out np xp torch_ class_ list dict any
""".split()
KEYS = """
    x y dy dx s n d T doc inputs outputs residuals workspace attrs dims dtypes descriptor
    grad kernels sharding like reference require cost samples torch jax neuron vmap autocast
    replaces dtype shape when optional update init list layout align values
    differentiable reduce length type default choices min max tuning formulas backward op
    args grads cpu cuda else split unit symbol sources dispatch grid block index workspace
    library call nki flops out module attrs order order_ fn value i a 1==1 True present(x)
""".split()
VALUES: list[Any] = [
    True,
    False,
    0,
    1,
    -1,
    2**40,
    1.5,
    "",
    "s",
    "*s",
    "*s n",
    "n n",
    "n*2 n",
    "1",
    "0",
    "none",
    "reference",
    "T",
    "f32",
    "1 == 1",
    "1 == 2",
    "True",
    "False",
    "not False",
    "2**bits(T)",
    "ceildiv(9, 0)",
    "1//0",
    "9**9**9",
    "'a' == 'a'",
    "f32 == f32",
    "bits(f32) > 8",
    "3 in (1, 2)",
    "prod(())",
    "min(1, 2)",
    "x == None",
    [],
    {},
    ["s"],
    ["cpu"],
    ["cpu", "cuda"],
    ["*s", "n"],
    {"else": "f32"},
    {"1 == 1": "*s", "else": "n"},
    {"True": "f32"},
    {"else": "sum"},
    {"present(x)": "*s", "else": ""},
    {"op": "relu_bwd"},
    {"type": "int"},
    {"type": "int", "default": 1},
    {"type": "str", "choices": ["a", "b"]},
    {"type": "bool", "default": False},
    {"type": "float", "default": "1.0/0"},
    {"dtype": "T", "shape": "*s"},
    {"dtype": "f32", "shape": ""},
]


def mutate(dice: random.Random, document: Table, others: list[Table]) -> Table:
    """Return a copy of `document` with a few random changes; some parts come from `others`."""
    document = copy.deepcopy(document)
    for _ in range(dice.choice([1, 1, 1, 2, 2, 3, 5])):
        dice.choice(MUTATIONS)(dice, document, dice.choice(others))
    return document


# -- by structure ------------------------------------------------------------------------


def places(value: Any, path: Path = ()) -> Iterator[tuple[Any, str | int, Path]]:
    """Yield each place below `value`: the container, the key in it, and the path of keys to it."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in list(items):
        yield value, key, (*path, key)
        if isinstance(item, dict | list):
            yield from places(item, (*path, key))


def _one(dice: random.Random, document: Table) -> tuple[Any, Any, Path]:
    """Choose a random place below the sections.

    Without this limit, most places would be deep ones or whole ops.
    """
    found = [place for place in places(document) if len(place[2]) > 1]
    return dice.choice(found or list(places(document)))


def _alike(dice: random.Random, document: Table, key: object) -> Any:
    """Return a random value with the key `key` in `document`; any value if none has this key."""
    found = [holder[k] for holder, k, _ in places(document) if k == key]
    if not found:
        found = [holder[k] for holder, k, _ in places(document)]
    return copy.deepcopy(dice.choice(found))


def delete(dice: random.Random, document: Table, other: Table) -> None:
    holder, key, _ = _one(dice, document)
    del holder[key]


def transplant(dice: random.Random, document: Table, other: Table) -> None:
    holder, key, _ = _one(dice, document)
    holder[key] = _alike(dice, dice.choice([document, other]), key)


def replace(dice: random.Random, document: Table, other: Table) -> None:
    holder, key, _ = _one(dice, document)
    holder[key] = copy.deepcopy(dice.choice(VALUES))


def swap(dice: random.Random, document: Table, other: Table) -> None:
    (a, k, _), (b, m, _) = _one(dice, document), _one(dice, document)
    a[k], b[m] = copy.deepcopy(b[m]), copy.deepcopy(a[k])


def swap_alike(dice: random.Random, document: Table, other: Table) -> None:
    """Swap two values that have the same key, for example two shapes."""
    holder, key, _ = _one(dice, document)
    found = [h for h, k, _ in places(document) if k == key and h is not holder]
    if found:
        with_ = dice.choice(found)
        holder[key], with_[key] = with_[key], holder[key]


def rename(dice: random.Random, document: Table, other: Table) -> None:
    holder, key, _ = _one(dice, document)
    if isinstance(holder, dict):
        new = dice.choice([*KEYS, *NAMES])
        items = [(new if k == key else k, v) for k, v in holder.items()]
        holder.clear()
        holder.update(items)


def rename_everywhere(dice: random.Random, document: Table, other: Table) -> None:
    """Rename an op, a tensor, an attr or a dim in all places that name it."""
    names = {str(path[k]) for _, _, path in places(document) for k in (1, 3) if len(path) > k}
    if not names:
        return
    old, new = dice.choice(sorted(names)), dice.choice(NAMES)
    if not re.fullmatch(r"\w+", old):
        return

    def renamed(value: Any) -> Any:
        match value:
            case str():
                return re.sub(rf"\b{old}\b", new, value)
            case dict():
                return {renamed(k): renamed(v) for k, v in value.items()}
            case list():
                return list(map(renamed, value))
        return value

    changed = renamed(document)
    document.clear()
    document.update(changed)


def turn(dice: random.Random, document: Table, other: Table) -> None:
    """Shuffle the items of a table or a list."""
    found = [h for h, _, _ in places(document) if len(h) > 1]
    holder = dice.choice(found) if found else document
    if isinstance(holder, dict):
        items = list(holder.items())
        dice.shuffle(items)
        holder.clear()
        holder.update(items)
    else:
        dice.shuffle(holder)


def insert(dice: random.Random, document: Table, other: Table) -> None:
    """Insert a key and a value that another spec has, or any key and value."""
    tables = [h for h, _, path in places(document) if isinstance(h, dict) and len(path) > 2]
    holder = dice.choice(tables) if tables else document
    keys = [k for h, k, _ in places(other) if isinstance(h, dict)]
    key = dice.choice([*KEYS, *keys])
    holder[key] = dice.choice([_alike(dice, other, key), dice.choice(VALUES)])


def by_cases(dice: random.Random, document: Table, other: Table) -> None:
    """Replace a value by a table of two cases."""
    holder, key, _ = _one(dice, document)
    condition = dice.choice(["1 == 1", "1 == 2", "True", "T == f32", "present(x)", "flip"])
    items = [(condition, holder[key]), ("else", _alike(dice, document, key))]
    if dice.random() < 0.3:
        items.reverse()
    holder[key] = dict(items[: dice.choice([1, 2, 2, 2])])


def copy_op(dice: random.Random, document: Table, other: Table) -> None:
    """Copy an op of this or another spec, under a new name or the same name."""
    source = dice.choice([document, other])
    if not source.get("ops") or not isinstance(document.get("ops"), dict):
        return
    name = dice.choice(list(source["ops"]))
    new = dice.choice([name, dice.choice(NAMES)])
    document["ops"][new] = copy.deepcopy(source["ops"][name])
    for section in ("dtypes", "templates"):
        if isinstance(source.get(section), dict):
            document[section] = {**source[section], **(document.get(section) or {})}


# -- by token ----------------------------------------------------------------------------


def _text(dice: random.Random, document: Table) -> tuple[Any, Any, list[str]] | None:
    """Choose a string and cut it into tokens. The string may be a value or a condition's key."""
    found = [
        (h, k, h[k]) for h, k, p in places(document) if isinstance(h[k], str) and p[-1] != "doc"
    ]
    found += [
        (h, None, k) for h, k, _ in places(document) if isinstance(k, str) and re.search(r"\W", k)
    ]
    if not found:
        return None
    holder, key, text = dice.choice(found)
    return holder, text if key is None else key, TOKEN.findall(text)


def _put(holder: Any, key: Any, old: bool, tokens: list[str]) -> None:
    text = "".join(tokens)
    if not old:
        holder[key] = text
        return
    items = [(text if k == key else k, v) for k, v in holder.items()]
    holder.clear()
    holder.update(items)


def tokens(dice: random.Random, document: Table, other: Table) -> None:
    found = _text(dice, document)
    if found is None:
        return
    holder, key, words = found
    is_key = not (
        isinstance(holder, list)
        or isinstance(holder.get(key), str)
        and TOKEN.findall(holder[key]) == words
    )
    for _ in range(dice.choice([1, 1, 2])):
        at = dice.randrange(len(words) + 1)
        match dice.randrange(5):
            case 0 if words:
                del words[min(at, len(words) - 1)]
            case 1 if words:
                words.insert(at, dice.choice(words))
            case 2 if words:
                a, b = dice.randrange(len(words)), dice.randrange(len(words))
                words[a], words[b] = words[b], words[a]
            case 3 if words:
                words[min(at, len(words) - 1)] = dice.choice([*WORDS, *words])
            case _:
                words.insert(at, dice.choice([" ", ""]) + dice.choice(WORDS))
    _put(holder, key, is_key, words)


MUTATIONS = [
    delete,
    transplant,
    transplant,
    replace,
    swap,
    swap_alike,
    swap_alike,
    rename,
    rename_everywhere,
    turn,
    insert,
    insert,
    by_cases,
    copy_op,
    tokens,
    tokens,
    tokens,
    tokens,
]


# -- as TOML -----------------------------------------------------------------------------


def toml(document: Table) -> str:
    """Return a document as TOML text: sections and ops as tables, everything below them inline."""
    rows = []
    for key, value in document.items():
        if not isinstance(value, dict):
            rows.insert(0, f"{_key(key)} = {_inline(value)}")
        elif key in ("ops", "templates"):
            for name, op in value.items():
                rows += ["", f"[{key}.{_key(name)}]"] if isinstance(op, dict) else []
                if isinstance(op, dict):
                    rows += [f"{_key(k)} = {_inline(v)}" for k, v in op.items()]
            odd = {n: op for n, op in value.items() if not isinstance(op, dict)}
            rows[:0] = [f"{key}.{_key(n)} = {_inline(op)}" for n, op in odd.items()]
        else:
            rows += ["", f"[{_key(key)}]"]
            rows += [f"{_key(k)} = {_inline(v)}" for k, v in value.items()]
    return "\n".join(rows) + "\n"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.A) else _string(key)


def _string(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")


def _inline(value: Any) -> str:
    match value:
        case str():
            return _string(value)
        case bool():
            return str(value).lower()
        case dict():
            items = ", ".join(f"{_key(k)} = {_inline(v)}" for k, v in value.items())
            return f"{{ {items} }}" if items else "{}"
        case list():
            return f"[{', '.join(map(_inline, value))}]"
    return str(value)


def read(text: str) -> Table:
    return tomllib.loads(text)
