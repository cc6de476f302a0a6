"""The fields of an op's descriptor that opgen adds, such as strides."""

from __future__ import annotations

from opgen.ir.descriptor import default_fields
from opgen.language.expr import parse_expr
from opgen.language.scope import Scope
from opgen.spec.models.ops import read_dtypes, read_op


def strides(inputs: dict[str, dict[str, object]], **table: object) -> dict[str, object]:
    """Return the stride fields in the descriptor of an op with these inputs."""
    given = {name: {"dtype": "f32", "layout": "...", **t} for name, t in inputs.items()}
    op = read_op("f", {"inputs": given, **table}, read_dtypes({}), {})
    fields = default_fields(Scope(op))
    return {field.name: field.value for field in fields if "_stride_" in field.name}


def test_strides_of_cases_with_several_forms() -> None:
    found = strides(
        {"x": {"shape": {"wide": ["m", "g m 2*n"], "else": ["m", "m n"]}}},
        attrs={"wide": {"type": "bool"}},
    )
    wanted = (
        "stride(x, 0) if (wide) and rank(x) == 1 else "
        "(stride(x, 1) if (wide) and rank(x) == 3 else stride(x, 0))"
    )
    assert found["x_stride_m"] == parse_expr(wanted)


def test_strides_of_cases_by_a_named_condition() -> None:
    found = strides(
        {"x": {"shape": {"paged": "blocks n", "else": "n"}}, "table": {"shape": "n"}},
        let={"paged": "present(table) and 1 > 0"},
    )
    wanted = "stride(x, 1) if present(table) and 1 > 0 else stride(x, 0)"
    assert found["x_stride_n"] == parse_expr(wanted)


def test_tensors_of_a_list_have_their_own_strides() -> None:
    lists = {"xs": {"shape": "m n", "list": "k"}, "ys": {"shape": "p[i] n", "list": "k"}}
    assert strides({"x": {"shape": "m n"}, **lists}).keys() == {"x_stride_m", "x_stride_n"}


def test_what_measures_the_memory_of_a_result_is_a_field(monkeypatch) -> None:
    monkeypatch.setattr("opgen.ir.descriptor.MEASURES", ("init",))
    y = {"dtype": "f32", "shape": "n", "init": "n + 1"}
    table = {"inputs": {"x": {"dtype": "f32", "shape": "n"}}, "outputs": {"y": y, "z": {**y}}}
    table["outputs"]["z"]["list"] = "n"
    fields = default_fields(Scope(read_op("f", table, read_dtypes({}), {})))
    assert {f.name: f.value for f in fields}["y_init"] == parse_expr("n + 1")
    assert [f.name for f in fields] == ["n", "y_init"]


def test_a_list_has_room_for_what_each_call_has() -> None:
    types = {"free": "int[]", "short": "int[2]", "long": "float[9]"}
    attrs: dict[str, object] = {name: {"type": type} for name, type in types.items()}
    attrs["given"] = {"type": "int[]", "default": [0] * 12}
    table = {"inputs": {"x": {"dtype": "f32", "shape": "n"}}, "attrs": attrs}
    fields = default_fields(Scope(read_op("f", table, read_dtypes({}), {})))
    room = {field.name: field.count for field in fields if field.count}
    assert room == {"free": 8, "short": 8, "long": 9, "given": 12}
