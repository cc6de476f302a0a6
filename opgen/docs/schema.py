"""The JSON Schema of a spec, rendered from opgen's models, for editors and other linters."""

from __future__ import annotations

import json
from typing import Any

from opgen.language.dtypes import DTYPES
from opgen.spec.models.document import adapter
from opgen.spec.models.tensors import TABLES_OF
from opgen.spec.tables import TENSOR_TABLES

ADDRESS = "https://json-schema.org/draft/2020-12/schema"


def json_schema() -> str:
    """Return the JSON Schema of a spec as text.

    The schema has a separate definition for the tensors of each role (inputs, outputs and so on),
    because their keys differ.
    """
    schema = adapter().json_schema()
    defs = schema["$defs"]
    tensor = defs.pop("Tensor")
    for role in (*TENSOR_TABLES, "bundles"):
        defs[role.title()] = _of_role(tensor, role)
        above = schema if role == "bundles" else defs["Op"]
        _refer(above["properties"][role], "Tensor", role.title())
    (variables,) = schema["properties"]["dtypes"]["patternProperties"].values()
    free = next(s for s in variables["anyOf"] if s["type"] == "array")
    free["items"] = {"enum": list(DTYPES)}
    _tidy(schema)
    for name in [*defs]:
        defs[name] = _merged(defs[name], defs)
    del schema["$defs"]
    schema = {"$schema": ADDRESS, "title": "opgen spec, version 1"} | _merged(schema, defs)
    used = {name: defs[name] for name in sorted(_used(schema, defs, set()))}
    return _lines(schema | {"$defs": used | {"UnknownKey": False}}) + "\n"


def _lines(schema: dict[str, Any]) -> str:
    """Return the schema as JSON text, with each definition on its own line."""
    head = {key: value for key, value in schema.items() if key != "$defs"}
    defs = (f"{json.dumps(k)}: {_line(value)}" for k, value in schema["$defs"].items())
    return _line(head)[:-1] + ',"$defs": {\n' + ",\n".join(defs) + "\n}}"


def _line(schema: Any) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def _used(schema: Any, defs: dict[str, Any], found: set[str]) -> set[str]:
    """Add to `found` the names of all definitions in `defs` that `schema` uses, even indirectly."""
    if isinstance(schema, dict):
        name = _table(schema)
        if name in defs and name not in found:
            found.add(name)
            _used(defs[name], defs, found)
    if isinstance(schema, dict | list):
        for value in schema.values() if isinstance(schema, dict) else schema:
            _used(value, defs, found)
    return found


def _of_role(tensor: dict[str, Any], role: str) -> dict[str, Any]:
    keys = {
        key: value
        for key, value in tensor["properties"].items()
        if role in TABLES_OF.get(key, (*TENSOR_TABLES, "bundles"))
    }
    if role not in ("inputs", "bundles"):
        forms = keys["shape"]["anyOf"]
        keys["shape"] = {**keys["shape"], "anyOf": [s for s in forms if s["type"] != "array"]}
    return {**tensor, "description": f"One of the {role}.", "properties": keys}


def _refer(schema: Any, old: str, new: str) -> None:
    """Replace all references to the definition `old` in `schema` by references to `new`."""
    if isinstance(schema, dict):
        if schema.get("$ref") == f"#/$defs/{old}":
            schema["$ref"] = f"#/$defs/{new}"
        for value in schema.values():
            _refer(value, old, new)
    elif isinstance(schema, list):
        for value in schema:
            _refer(value, old, new)


def _tidy(schema: Any) -> None:
    """Forbid unknown keys in tables, and remove titles, which only repeat keys.

    To forbid keys, `additionalProperties` refers to a definition that matches nothing. Then the
    editor tool Taplo marks only the value of the unknown key. With `false`, Taplo would mark the
    whole table.
    """
    if isinstance(schema, dict):
        if "patternProperties" in schema or schema.get("additionalProperties") is False:
            schema["additionalProperties"] = {"$ref": "#/$defs/UnknownKey"}
        if isinstance(schema.get("title"), str):
            del schema["title"]
        for value in schema.values():
            _tidy(value)
    elif isinstance(schema, list):
        for value in schema:
            _tidy(value)


def _merged(schema: Any, defs: dict[str, Any]) -> Any:
    """Merge each `anyOf` whose alternatives have different types into one schema with all keywords.

    This does not change the meaning, because each keyword applies only to values of one type. With
    `anyOf`, an editor marks the whole table that contains a mistake. In the merged schema, it marks
    only the mistake.
    """
    if isinstance(schema, list):
        return [_merged(each, defs) for each in schema]
    if not isinstance(schema, dict):
        return schema
    parts = [defs.get(_table(part), part) for part in schema.get("anyOf", ())]
    types = [part.get("type") for part in parts]
    merged = {key: _merged(value, defs) for key, value in schema.items()}
    if not parts or None in types or len({*types}) < len(types):
        return merged
    del merged["anyOf"]
    found: dict[str, Any] = {"type": types}
    limits = []
    for part in parts:
        keywords = {key: _merged(value, defs) for key, value in part.items() if key != "type"}
        if keywords.pop("const", None) is False:
            found["not"] = {"const": True}
        if choices := keywords.pop("enum", None):
            limits.append({"if": {"type": part["type"]}, "then": {"enum": choices}})
        found |= keywords
    found |= {"allOf": limits} if limits else {}
    names = [_table(part) for part in schema["anyOf"]]
    if not any(names):
        return found | merged
    # If several schemas have the same alternatives, they share one definition.
    name = "Or".join(name or part["type"].title() for name, part in zip(names, parts))
    if defs.setdefault(name, found) != found:
        return found | merged
    return {"$ref": f"#/$defs/{name}"} | merged


def _table(schema: dict[str, Any]) -> str:
    """Return the name of the definition that `schema` refers to, or "" if it refers to none."""
    return str(schema.get("$ref", "")).removeprefix("#/$defs/")
