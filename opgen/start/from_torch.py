"""A draft from the schema of an op that PyTorch knows."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from opgen.start.draft import NOTHING, Attr, Draft, Tensor
from opgen.start.op import StartError

# Run by the Python whose PyTorch is asked, in a separate process. Prints the schema of an op, or
# what is wrong.
_PROBE = """
import importlib, json, sys
name, modules = sys.argv[1], sys.argv[2:]
sys.path.insert(0, "")
try:
    import torch
except ImportError:
    sys.exit(print(json.dumps({"problem": "PyTorch is not installed: `pip install torch`"})))
for module in modules:
    try:
        importlib.import_module(module)
    except Exception as error:
        sys.exit(print(json.dumps({"problem": f"{module} cannot be imported: {error}"})))
base, _, overload = name.partition(".")
schemas = torch._C._jit_get_schemas_for_operator(base)
found = [s for s in schemas if s.overload_name == overload] or ([] if overload else schemas[:1])
if not found:
    space = base.partition("::")[0]
    known = sorted({n.split("(")[0] for n in map(str, schemas)}) or sorted(
        {n.partition(".")[0] for n in torch._C._dispatch_get_all_op_names() if n.startswith(f"{space}::")})
    sys.exit(print(json.dumps({"known": known})))
def item(a):
    default = a.default_value if a.has_default_value() else None
    try:
        json.dumps(default)
    except TypeError:
        default = str(default)
    return {"name": a.name, "type": str(a.real_type), "given": not a.has_default_value(),
            "default": default, "written": bool(a.is_write)}
schema = found[0]
print(json.dumps({
    "text": str(schema), "name": schema.name + ("." + schema.overload_name if schema.overload_name else ""),
    "arguments": [item(a) for a in schema.arguments],
    "others": [] if overload else [f"{s.name}.{s.overload_name}" for s in schemas
        if s.overload_name != schema.overload_name and "Tensor" in str(s).partition("->")[0]
        and not any(a.is_write and a.kwarg_only for a in s.arguments)],
    "returns": [[r.name, str(r.type), r.alias_info and r.alias_info.is_write] for r in schema.returns]}))
"""
_ATTRS = {
    "float": "float",
    "int": "int",
    "bool": "bool",
    "str": "str",
    "List[int]": "int[]",
    "List[float]": "float[]",
}
_NUMBER = "an int may be passed too"


def from_torch(name: str, modules: Sequence[str] = ()) -> Draft:
    """The draft of an op called `namespace::op`, or `namespace::op.overload`.

    `modules` are imported first, to register it. Raises `StartError`.
    """
    found = _schema(name, modules)
    inputs: list[Tensor] = []
    attrs: list[Attr] = []
    notes: list[str] = []
    left_out: dict[str, str] = {}
    for argument in found["arguments"]:
        kind, optional = _optional(argument["type"])
        called = argument["name"]
        if kind in ("Tensor", "List[Tensor]"):
            guess = "whether it is read too" if argument["written"] else ""
            inputs.append(
                Tensor(
                    called,
                    guess=guess,
                    optional=optional,
                    update=argument["written"],
                    list=kind != "Tensor",
                )
            )
            continue
        number = kind == "number"
        type_ = "float" if number else _ATTRS.get(kind)
        if type_ is None:
            left_out[called] = argument["type"]
            continue
        default = NOTHING if argument["given"] else argument["default"]
        missing = optional and default in (None, NOTHING)
        attrs.append(Attr(called, type_, default, missing, _NUMBER if number else ""))
    if [t for t in inputs if not t.optional] != inputs[: sum(not t.optional for t in inputs)]:
        notes.append("Inputs that may be absent come last, which they do not there.")
    outputs = []
    taken = {tensor.name for tensor in inputs} | {attr.name for attr in attrs}
    # Written inputs and views of others use existing memory.
    fresh = [each for each in found["returns"] if each[2] is None]
    views = [kind for _, kind, written in found["returns"] if written is False]
    viewed = "a list of views" if "List[Tensor]" in views else "a view" if views else ""
    for n, (called, kind, _) in enumerate(fresh):
        if kind not in ("Tensor", "List[Tensor]"):
            notes.append(f"Left out: a result, {kind}.")
            continue
        own = called or ("y" if len(fresh) == 1 else f"y{n}")
        while own in taken:
            own += "_out"
        outputs.append(Tensor(own, guess="its dtype", list=kind != "Tensor"))
    space, _, short = found["name"].partition("::")
    replaces = f"torch.ops.{space}.{short.partition('.')[0]}"
    return Draft(
        found["name"],
        found["text"],
        inputs,
        attrs,
        outputs,
        replaces,
        notes=notes,
        left_out=left_out,
        others=found["others"],
        views=viewed,
    )


def _optional(kind: str) -> tuple[str, bool]:
    inner = kind.removeprefix("Optional[")
    return (inner[:-1], True) if inner != kind else (kind, False)


def _schema(name: str, modules: Sequence[str]) -> dict[str, Any]:
    space, colons, op = name.partition("::")
    if not colons or not space or not op:
        raise StartError(f"expected an op of PyTorch as `NAMESPACE::OP`, not `{name}`")
    command = [sys.executable, "-c", _PROBE, name, *modules]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        raise StartError(f"PyTorch could not be asked for `{name}`: {last}") from None
    if "problem" in found:
        raise StartError(found["problem"])
    if "known" in found:
        from opgen.source.diagnostics import nearest

        near = nearest(name, found["known"])
        help_ = f"did you mean `{near}`?" if near else "`--module` imports what registers it"
        raise StartError(f"PyTorch knows no `{name}`: {help_}")
    return found
