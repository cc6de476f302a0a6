"""Export an op to FlashInfer-Bench, and draft a spec from a FlashInfer-Bench Definition.

A Definition describes an op, and a Workload is one of its calls.
"""

from __future__ import annotations

import ast
import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from opgen.exchange import Refused
from opgen.language.dtypes import DTYPES
from opgen.language.expr import ParseError, names_in, parse_expr, text_of
from opgen.language.expr.syntax import Const, substitute
from opgen.start.draft import Attr, Draft, Tensor, renamed

if TYPE_CHECKING:
    from opgen.exchange.problem import Problem, Workload

# The dtypes that FlashInfer-Bench has, with its names, which equal NumPy's names.
_SHARED = ("f32", "f16", "bf16", "f8e4m3", "i64", "i32", "i16", "i8", "bool")
DTYPES_THERE = {name: DTYPES[name].numpy for name in _SHARED}
NAMESPACE = uuid.UUID("c4dd13b5-6a4d-5c2c-9d3c-1f6f1ea4b9aa")


def files(problems: Sequence[Problem]) -> dict[str, str]:
    """Return the content of each file of a dataset with these problems, by the file's path."""
    made = {}
    for each in problems:
        where = f"{each.op}/{each.name}"
        made[f"definitions/{where}.json"] = json.dumps(definition(each), indent=2) + "\n"
        made[f"workloads/{where}.jsonl"] = "".join(
            json.dumps({"definition": each.name, "workload": load}) + "\n"
            for load in workloads(each)
        )
    return made


def definition(problem: Problem) -> dict[str, Any]:
    """Return a problem's Definition."""

    def values(of: Sequence[Any]) -> dict[str, Any]:
        return {
            v.name: {
                "shape": None if v.shape is None else list(v.shape),
                "dtype": DTYPES_THERE[v.dtype],
            }
            for v in of
        }

    axes = {
        name: {"type": "var"} if size is None else {"type": "const", "value": size}
        for name, size in problem.axes.items()
    }
    return {
        "name": problem.name,
        "op_type": problem.op,
        "description": problem.doc,
        "axes": axes,
        "constraints": list(problem.constraints),
        "inputs": values(problem.inputs),
        "outputs": values(problem.outputs),
        "reference": problem.code,
    }


def workloads(problem: Problem) -> list[dict[str, Any]]:
    """Return the Workloads of a problem."""
    return [workload(problem, load) for load in problem.workloads]


def workload(problem: Problem, load: Workload) -> dict[str, Any]:
    """Return a Workload as JSON data. Its uuid depends only on the problem and the inputs."""
    inputs = {
        v.name: (
            {"type": "random"}
            if v.shape is not None
            else {"type": "scalar", "value": load.scalars[v.name]}
        )
        for v in problem.inputs
    }
    key = json.dumps([problem.name, load.axes, inputs], sort_keys=True)
    return {"axes": dict(load.axes), "inputs": inputs, "uuid": str(uuid.uuid5(NAMESPACE, key))}


# Import of a Definition

_HERE = {there: name for name, there in DTYPES_THERE.items()}
_SCALARS = {"float": "float", "int": "int", "uint": "int", "bool": "bool"}
_REFERENCE = '''\
from __future__ import annotations

try:
    import torch
except ImportError:
    torch = None


def {op}(xp, {parameters}):
    """{doc}

    The function below is of PyTorch: arrays of others are converted, and cannot be traced.
    """
    given = [{arguments}]
    whole = [
        x if x is None or isinstance(x, (torch.Tensor, bool, int, float)) else torch.from_dlpack(x)
        for x in given
    ]
    made = _run(*whole)
    if any(isinstance(x, torch.Tensor) for x in given):
        return made
    several = isinstance(made, (tuple, list))
    arrays = [xp.from_dlpack(y.contiguous()) for y in (made if several else [made])]
    return tuple(arrays) if several else arrays[0]


{code}'''


def draft(path: Path) -> Draft:
    """Return a draft spec of the op that a Definition describes.

    The Workloads of the Definition become samples if they are in the dataset's usual folder. Raises
    `Refused` if no spec can be drafted.
    """
    told = _read(path)
    op = op_name(told["name"])
    axes = {n: axis.get("value") for n, axis in told["axes"].items()}
    inputs, attrs, notes = [], [], []
    for name, value in told["inputs"].items():
        dtype = _dtype(value, name)
        if value["shape"] is None:
            attrs.append(Attr(name, _SCALARS[DTYPES[dtype].kind]))
        else:
            inputs.append(
                Tensor(
                    name,
                    dtype,
                    " ".join(value["shape"]),
                    optional=bool(value.get("optional")),
                    known=True,
                )
            )
    given = {n for t in inputs for n in (t.shape or "").split()}
    if any(n not in given for v in told["outputs"].values() for n in v["shape"] or ()):
        notes.append("Left out: the names of axes that results alone have.")
    outputs = []
    for name, value in told["outputs"].items():
        terms = [n if n in given else str(axes[n]) for n in value["shape"] or ()]
        outputs.append(Tensor(name, _dtype(value, name), " ".join(terms), known=True))
    require = [f"{n} == {size}" for n, size in axes.items() if size is not None and n in given]
    constants = {n: Const(s) for n, s in axes.items() if s is not None and n not in given}
    for text in told.get("constraints") or ():
        try:
            text = text_of(substitute(parse_expr(text), constants))
            known = {*names_in(parse_expr(text))} <= given
        except ParseError:
            known = False
        if known:
            require.append(text)
        else:
            notes.append(f"Left out: the constraint {text}.")
    made = renamed(
        Draft(
            op,
            f"the FlashInfer-Bench Definition {told['name']}",
            inputs,
            attrs,
            outputs,
            notes=notes,
            doc=_line(told.get("description") or f"The op of {told['name']}."),
            require=require,
            samples=list(_samples(path, told, axes)),
        )
    )
    new = {old: own for own, old in made.old.items()}
    code = re.sub(r"(?<![\w.])run(?=\s*\()", "_run", _guarded(told["reference"])).strip()
    order = [new.get(n, n) for n in told["inputs"]]
    return replace(
        made,
        require=[_renamed(text, new) for text in require],
        samples=[_renamed(text, new) for text in made.samples],
        code=_REFERENCE.format(
            op=made.op,
            parameters=made.parameters,
            doc=made.doc.replace("\\", "\\\\").replace('"""', "'''"),
            arguments=", ".join(order),
            code=code,
        ),
    )


def op_name(definition: str) -> str:
    """Return the name of the op that is imported from a Definition."""
    return re.sub(r"\W+", "_", definition).strip("_").lower()


def _guarded(code: str) -> str:
    """Return the code with `try` around imports of frameworks, which may not be installed."""
    lines = code.splitlines()
    for node in reversed(ast.parse(code).body):
        named = ast.unparse(node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            if "__future__" in named:
                lines[node.lineno - 1 : node.end_lineno] = []
            elif re.match(r"(import|from) (torch|array_api_compat|jax|numpy)\b", named):
                made = ["try:", f"    {named}", "except ImportError:", "    pass"]
                lines[node.lineno - 1 : node.end_lineno] = made
    return "\n".join(lines)


def _renamed(text: str, new: Mapping[str, str]) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda word: new.get(word[0], word[0]), text)


def _line(text: str) -> str:
    words = " ".join(text.split())
    return words if words.endswith(".") else f"{words}."


def _read(path: Path) -> dict[str, Any]:
    """Read a Definition. Raises `Refused` if a part of it is missing."""
    try:
        told: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise Refused(f"{path} is no JSON: {error}") from None
    kinds = {"name": str, "axes": dict, "inputs": dict, "outputs": dict, "reference": str}
    for key, kind in kinds.items():
        if not isinstance(told, dict) or not isinstance(told.get(key), kind):
            raise Refused(f"{path} is no Definition of FlashInfer-Bench: it has no `{key}`")
    for table in ("inputs", "outputs"):
        for name, value in told[table].items():
            if not isinstance(value, dict) or not {"shape", "dtype"} <= value.keys():
                raise Refused(f"{path}: `{name}` has no shape and dtype")
            for axis in value["shape"] or ():
                if not isinstance(told["axes"].get(axis), dict):
                    raise Refused(f"{path}: `{name}` has an axis `{axis}` that is none of `axes`")
    try:
        body = ast.parse(told["reference"]).body
    except SyntaxError as error:
        raise Refused(f"{path}: its reference is no Python: {error.msg}") from None
    if not any(isinstance(node, ast.FunctionDef) and node.name == "run" for node in body):
        raise Refused(f"{path}: its reference has no function `run`")
    return told


def _dtype(value: Mapping[str, Any], name: str) -> str:
    if value["dtype"] not in _HERE:
        raise Refused(f"`{name}` has a dtype that no op has: {value['dtype']}")
    return _HERE[value["dtype"]]


def _samples(path: Path, told: Mapping[str, Any], axes: Mapping[str, Any]) -> Iterator[str]:
    """Yield the Definition's Workloads as samples for the spec, in TOML."""
    folder = path.absolute().parent
    file = folder.parent.parent / "workloads" / folder.name / f"{path.stem}.jsonl"
    if not file.is_file():
        return
    for line in file.read_text(encoding="utf-8").splitlines():
        try:
            load = json.loads(line)["workload"]
            sizes = {**{n: s for n, s in axes.items() if s is not None}, **load["axes"]}
            scalars = {n: v["value"] for n, v in load["inputs"].items() if v["type"] == "scalar"}
        except (ValueError, KeyError, TypeError):
            raise Refused(f"{file} has a line that is no Workload") from None
        used = {n for v in told["inputs"].values() for n in v["shape"] or ()}
        items = {**{n: s for n, s in sizes.items() if n in used}, **scalars}
        yield f"{{ {', '.join(f'{n} = {json.dumps(v)}' for n, v in items.items())} }}"
