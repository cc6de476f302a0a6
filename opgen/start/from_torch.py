"""Draft specs from the schemas of registered PyTorch ops, for `opgen import torch`."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from opgen.start.cpp_draft import with_source
from opgen.start.cpp_sources import Sources
from opgen.start.draft import FILLED, NOTHING, NUMBER, Attr, Draft, Tensor, renamed
from opgen.start.learned import learned
from opgen.start.op import StartError

_ATTRS = {
    "float": "float",
    "int": "int",
    "bool": "bool",
    "str": "str",
    "ScalarType": "dtype",
    "List[int]": "int[]",
    "List[float]": "float[]",
}
_TENSORS = ("Tensor", "List[Tensor]")


def from_torch(
    name: str,
    modules: Sequence[str] = (),
    calls: Sequence[str] = (),
    out: Sequence[str] = (),
    sources: Sequence[Path] = (),
) -> Iterator[Draft]:
    """Yield a draft spec for each op that `name` selects.

    `name` is `namespace::op`, `namespace::op.overload`, or `namespace::*` for all ops of a
    namespace. `modules` are imported first, to register the ops. `calls` is a test, or a script and
    its arguments, that is run to observe calls of the ops. `out` names arguments that an op only
    writes. `sources` are the op's C++ files. Raises `StartError` if no spec can be drafted.
    """
    read = Sources.read(sources)
    for found in _found(name, modules, calls):
        yield _draft(found, out, bool(calls), read)


def _draft(found: Mapping[str, Any], out: Sequence[str], asked: bool, sources: Sources) -> Draft:
    arguments = found["arguments"]
    function = sources.of(found["name"], len(arguments))
    # If PyTorch inferred the schema, it has no argument names.
    unnamed = function and all(re.fullmatch(r"_\d+", each["name"]) for each in arguments)
    names = [each["name"] for each in arguments]
    named = dict(zip(names, function.names)) if function and unnamed else {}
    inputs: list[Tensor] = []
    attrs: list[Attr] = []
    outputs: list[Tensor] = []
    notes: list[str] = []
    left_out: dict[str, str] = {}
    for argument in arguments:
        kind, optional = _optional(argument["type"])
        old = argument["name"]
        called = named.get(old, old)
        if kind in _TENSORS:
            tensor = Tensor(called, optional=optional, list=kind != "Tensor")
            if not argument["written"]:
                inputs.append(tensor)
            elif not optional and not tensor.list and _is_filled(old, called, found, out):
                guess = "" if {called, old} & {*out, *found["unread"]} else "that it is not read"
                outputs.append(replace(tensor, guess=", ".join(filter(None, (guess, "its dtype")))))
            else:
                guess = "" if old in found["read"] else "whether it is read too"
                inputs.append(replace(tensor, guess=guess, update=True))
            continue
        attr = _attr(called, kind, optional, argument)
        if attr is None:
            left_out[called] = argument["type"]
        else:
            attrs.append(attr)
    if [t for t in inputs if not t.optional] != inputs[: sum(not t.optional for t in inputs)]:
        notes.append("Inputs that may be absent come last, which they do not there.")
    # Written inputs and views use memory that already exists. All other results are new outputs.
    fresh = [n for n, each in enumerate(found["returns"]) if each[2] is None]
    views = [kind for _, kind, written in found["returns"] if written is False]
    viewed = "a list of views" if "List[Tensor]" in views else "a view" if views else ""
    results: list[int] = []
    for n, index in enumerate(fresh):
        called, kind, _ = found["returns"][index]
        if kind not in _TENSORS:
            notes.append(f"Left out: a result, {kind}.")
            continue
        own = called or ("y" if len(fresh) == 1 else f"y{n}")
        while own in (*names, *named.values()):
            own += "_out"
        results.append(index)
        outputs.append(Tensor(own, guess="its dtype", list=kind != "Tensor"))
    space, _, short = found["name"].partition("::")
    draft = Draft(
        found["name"],
        found["text"],
        inputs,
        attrs,
        outputs,
        f"torch.ops.{space}.{short.partition('.')[0]}",
        notes=notes,
        left_out=left_out,
        others=found["others"],
        views=viewed,
        differentiable=found["differentiable"],
        old={own: old for old, own in named.items() if own not in left_out},
    )
    if function:
        called = dict(zip(function.names, [named.get(name, name) for name in names]))
        draft = with_source(draft, function, sources.functions, called)
    draft = renamed(draft)
    if _can_stand_in(found, draft):
        draft = replace(draft, schema=_written(found["text"]), out=len(results) < len(outputs))
    draft = replace(draft, old={new: old for new, old in draft.old.items() if old in names})
    own_names = {old: new for new, old in draft.old.items()}
    made = dict(zip(results, draft.outputs[len(draft.outputs) - len(results) :]))

    def call(each: Mapping[str, Any]) -> dict[str, Any]:
        given = {own_names.get(name, name): value for name, value in each["arguments"].items()}
        told = dict(enumerate(each["results"]))
        return given | {tensor.name: told.get(index) for index, tensor in made.items()}

    if asked and not found["calls"]:
        draft = replace(draft, notes=[*draft.notes, "None of the calls reached it."])
    returned = {each.name for each in made.values()}
    return learned(draft, [*map(call, found["calls"])], [*map(call, found["fake"])], returned)


def _written(schema: str) -> str:
    """Convert a schema that PyTorch printed to the syntax in which libraries define schemas.

    PyTorch prints `Tensor(a!)` as `Tensor($0! -> )`.
    """
    return re.sub(r"\(\$(\d+)(!?) -> [^)]*\)", lambda m: f"({chr(97 + int(m[1]))}{m[2]})", schema)


def _can_stand_in(found: Mapping[str, Any], draft: Draft) -> bool:
    """Return True if the drafted op can replace the library's op when the library is not loaded."""
    required = {each["name"] for each in found["arguments"] if each["given"]}
    lost = {draft.old.get(name, name) for name in draft.left_out}
    lists = any(each.list for each in (*draft.inputs, *draft.outputs))
    whole = len(found["returns"]) <= len(draft.outputs) and not draft.views
    return not (required & lost or lists or found["name"].startswith("aten::")) and whole


def _is_filled(old: str, name: str, found: Mapping[str, Any], out: Sequence[str]) -> bool:
    """Return True if an argument that the op writes is only an output: the op never reads it."""
    if name in out or old in out or old in found["unread"]:
        return True
    return old not in found["read"] and not found["returns"] and bool(FILLED.fullmatch(name))


def _attr(name: str, kind: str, optional: bool, argument: Mapping[str, Any]) -> Attr | None:
    type_ = "float" if kind == "number" else _ATTRS.get(kind)
    if type_ is None:
        return None
    default = NOTHING if argument["given"] else argument["default"]
    guess = NUMBER if kind == "number" else "its choices" if type_ == "dtype" else ""
    if type_ == "dtype" and isinstance(default, int):
        default, guess = NOTHING, f"{guess}, its default ({default})"
    if type_ == "float" and isinstance(default, int):
        default = float(default)
    return Attr(name, type_, default, optional and default in (None, NOTHING), guess)


def _optional(kind: str) -> tuple[str, bool]:
    inner = kind.removeprefix("Optional[")
    return (inner[:-1], True) if inner != kind else (kind, False)


def _found(name: str, modules: Sequence[str], calls: Sequence[str]) -> list[dict[str, Any]]:
    """Return the registered PyTorch ops called `name`. Raises `StartError` if there are none."""
    space, colons, op = name.partition("::")
    if not colons or not space or not op:
        raise StartError(f"expected an op of PyTorch as `NAMESPACE::OP`, not `{name}`")
    found = _asked(name, modules, calls)
    if "problem" in found:
        raise StartError(found["problem"])
    if "known" in found:
        from opgen.source.diagnostics import nearest

        near = nearest(name, found["known"])
        help_ = f"did you mean `{near}`?" if near else "`--module` imports what registers it"
        raise StartError(f"PyTorch knows no `{name}`: {help_}")
    if found["failed"]:
        raise StartError(f"{' '.join(calls)}: {found['failed']}")
    ops: list[dict[str, Any]] = found["ops"]
    return ops


def _asked(name: str, modules: Sequence[str], calls: Sequence[str]) -> dict[str, Any]:
    return asked("torch", {"name": name, "modules": [*modules], "calls": [*calls]}, name)


def asked(framework: str, question: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Send `question` to a framework's probe in a separate process, and return its answer.

    `name` is the name of the op or function in error messages.
    """
    with tempfile.TemporaryDirectory() as folder:
        request, answer = Path(folder) / "request.json", Path(folder) / "answer.json"
        request.write_text(json.dumps(question), encoding="utf-8")
        probe = f"opgen.start.{framework}_probe"
        command = [sys.executable, "-m", probe, str(request), str(answer)]
        done = subprocess.run(command, capture_output=True, text=True)
        try:
            found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            last = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
            raise StartError(f"{framework} could not be asked for `{name}`: {last}") from None
    return found
