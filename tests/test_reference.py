"""The reference page is up to date and complete, and its examples are in specs that lint clean."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from opgen.cli.main import main
from opgen.compiler.pipeline import examine
from opgen.docs import reference
from opgen.source.source_file import SourceFile
from opgen.source.toml import read_toml
from opgen.spec.models.document import MODELS
from opgen.spec.tables import TENSOR_TABLES

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "reference.md"
SPECS = [
    *ROOT.glob("specs/*.toml"),
    *ROOT.glob("examples/*/specs/*.toml"),
    ROOT / "tests" / "language" / "keys.toml",
]
KEYS = reference.keys()


def name(key: reference.Key) -> str:
    return f"{key.model}.{key.name}"


# -- what specs say, model by model ----------------------------------------------------

Use = tuple[str, str, Any]
NAMED = {**dict.fromkeys(TENSOR_TABLES, "Tensor"), "attrs": "Attr", "descriptor": "DescriptorField"}
TABLES = {
    "cost": "Cost",
    "torch": "TorchOptions",
    "jax": "JaxOptions",
    "neuron": "NeuronOptions",
    "sharding": "Sharding",
}


def keys_of(model: str, table: object) -> Iterator[Use]:
    if isinstance(table, dict):
        yield from ((model, key, value) for key, value in table.items())


def uses(document: dict[str, Any]) -> Iterator[Use]:
    """Yield the data model, name and value of every key in a spec."""
    yield from keys_of("Document", document)
    for bundle in document.get("bundles", {}).values():
        for member in bundle.values():
            yield from keys_of("Tensor", member)
    for op in (*document.get("ops", {}).values(), *document.get("templates", {}).values()):
        yield from keys_of("Op", op)
        for key, value in op.items():
            if key in NAMED and value:
                for entry in value.values():
                    yield from keys_of(NAMED[key], entry)
                    yield from keys_of(
                        "Draw", entry.get("init") if isinstance(entry, dict) else None
                    )
            elif key in TABLES:
                yield from keys_of(TABLES[key], value)
        yield from grads(op.get("grad"))
        for entry in (op.get("torch") or {}).get("patches", ()):
            yield from keys_of("Patch", entry)
        for kernel in op.get("kernels") or ():
            yield from keys_of("Kernel", kernel)
            if isinstance(kernel, dict):
                yield from keys_of("Triton", kernel.get("triton"))


def grads(grad: object) -> Iterator[Use]:
    if not isinstance(grad, dict):
        return
    if not {*grad} <= {"formulas", "backward", "require"}:
        for case in grad.values():
            yield from grads(case)
        return
    yield from keys_of("Grad", grad)
    calls = grad.get("backward")
    for call in calls if isinstance(calls, list) else [calls]:
        yield from keys_of("Call", call)


@cache
def said() -> list[Use]:
    documents = [read_toml(SourceFile.read(path))[0] for path in SPECS]
    return [use for document in documents for use in uses(document or {})]


def holds(value: object, example: object) -> bool:
    """Return whether `value` equals `example`, or is a table that contains it."""
    if isinstance(value, dict) and isinstance(example, dict):
        return all(k in value and holds(value[k], v) for k, v in example.items())
    return type(value) is type(example) and value == example


# -- the tests -------------------------------------------------------------------------


def test_the_page_is_up_to_date() -> None:
    if os.environ.get("OPGEN_UPDATE_GOLDEN") == "1":
        PAGE.write_text(reference.reference())
    assert PAGE.read_text() == reference.reference()


def test_every_key_of_every_model_is_in_it() -> None:
    assert {*reference.TABLES} == {*MODELS}
    wanted = {f"{model}.{key}" for model, table in MODELS.items() for key in table.keys}
    assert {*map(name, KEYS)} == wanted


@pytest.mark.parametrize("key", KEYS, ids=name)
def test_a_key_has_a_line_and_an_example(key: reference.Key) -> None:
    assert re.fullmatch(r"[A-Z`].*\.", key.doc) and "\n" not in key.doc
    assert key.examples and key.type


@pytest.mark.parametrize("key", KEYS, ids=name)
def test_a_key_says_what_its_words_mean(key: reference.Key) -> None:
    words = re.findall(r'`"(\w+)"`', key.type)
    if key.type.endswith("= reduction }"):
        words = ["sum", "max", "min", "mean", "sum_exp(top)", "same", "local"]
    assert all(f"`{word}`" in key.doc for word in words)


@pytest.mark.parametrize("key", KEYS, ids=name)
def test_an_example_stands_in_a_spec(key: reference.Key) -> None:
    used = [v for model, k, v in said() if (model, k) == (key.model, key.name)]
    for line in key.examples:
        parsed, mistakes = read_toml(SourceFile("example.toml", line))
        assert mistakes == [] and parsed is not None
        assert any(holds(value, parsed[key.name]) for value in used), line


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_the_specs_are_clean(path: Path) -> None:
    assert examine([path])[1] == []


@pytest.mark.parametrize("key", ["sharding", "dtypes"])
def test_explain_prints_a_key_before_a_rule_of_its_name(
    key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", key]) == 0
    assert capsys.readouterr().out.startswith(f"{key} (of ")


def test_explain_prints_a_key(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "attrs.type"]) == 0
    alone = capsys.readouterr().out
    assert alone.startswith("type (of attrs.NAME): type\n")
    assert alone.endswith('    type = "int[2]"\n')
    assert main(["explain", "type"]) == 0
    both = capsys.readouterr().out
    assert alone in both and "type (of descriptor.NAME): C type\n" in both
    assert main(["explain", "inputs.length"]) == 2
    assert main(["explain", "outputs.length"]) == 0


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reference"]) == 0
    assert capsys.readouterr().out == PAGE.read_text()
