"""Resolving specs into the IR: the values that are derived, and those from other tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from opgen.ir.gradients import linear_in
from opgen.ir.op import Op
from opgen.ir.resolve import resolve_op
from opgen.ir.shape_inference import Choose, Guard, Length, Rank, Solve, Take, learns
from opgen.language.expr import parse_expr, text_of
from opgen.language.scope import Scope
from opgen.source.source_file import SourceFile
from opgen.spec.parse import parse_spec
from opgen.targets.core.infer import InferBody
from opgen.targets.cpp.types import typed_dtypes
from opgen.targets.tpu.resolve import is_column, sizes

HEAD = """
spec = 1
[dtypes]
T   = ["f32", "bf16", "f64"]
W   = ["f32", "f64"]
Acc = "accum(T)"
Odd = "promote(Acc, W)"
[ops.op]
doc       = "An op."
grad      = "none"
sharding  = "replicate"
"""
ROWS = """
inputs.x  = { dtype = "T", shape = "*batch d" }
outputs.y = { dtype = "T", shape = "*batch d" }
"""
TRITON = """
def rows(x_ptr, x, y, d, by, scale, BLOCK: tl.constexpr, BIASED: tl.constexpr, K: tl.constexpr):
    pass
def mixed(x, m, y):
    pass
"""
PALLAS = """
def scratch(x, s, rest, twice, by, *, blocks):
    pass
def product(x, w, y, sum, scale, by, batch, k, d, unknown, *, blocks):
    pass
def plain(x, y, *, blocks):
    pass
"""


def resolved(
    text: str,
    sources: Mapping[str, tuple[str, ...]] | None = None,
    files: Mapping[str, str] | None = None,
    head: str = HEAD,
    name: str = "op",
) -> Op:
    """Return a resolved op of a spec."""
    spec, found = parse_spec(SourceFile(Path("family.toml"), head + text))
    assert spec is not None, found
    scopes = {name: Scope(op) for name, op in spec.ops.items()}
    read = dict(files or {}).__getitem__
    return resolve_op(
        scopes[name],
        scopes,
        family="family",
        spec="family.toml",
        sources={"cpu": ("a.cpp",)} if sources is None else sources,
        read=read,
        read_kernel=read,
    )


def texts(requirements) -> list[str]:
    return [text_of(each.condition) for each in requirements]


# -- dtypes --


def test_variables_that_are_used_also_through_others() -> None:
    op = resolved(
        'inputs.x = { dtype = "T", shape = "n" }\noutputs.y = { dtype = "Acc", shape = "n" }'
    )
    assert [(v.name, v.free) for v in op.dtypes] == [("T", True), ("Acc", False)]
    assert op.dtypes[0].choices == ("f32", "bf16", "f64")
    assert op.dtypes[1].value.only == parse_expr("accum(T)")
    op = resolved(
        'inputs.x = { dtype = "T", shape = "n" }\noutputs.y = { dtype = "Odd", shape = "n" }'
    )
    assert [v.name for v in op.dtypes] == ["T", "W", "Acc", "Odd"]


def test_a_derived_dtype_of_no_tensor_is_a_type_of_kernels() -> None:
    op = resolved(ROWS)
    assert [v.name for v in op.dtypes] == ["T"]
    assert [v.name for v in op.derived_dtypes] == ["Acc"], "Odd asks for W, which no tensor has"
    assert typed_dtypes(op, ("T",)) == {"T": "T", "Acc": "opgen::accum_t<T>"}


def test_variables_of_conditions_attrs_and_the_op_itself() -> None:
    op = resolved("""
        dtypes.Own = ["i32", "i64"]
        dtypes.By  = { "W == f64" = "f64", else = "f32" }
        attrs.Out  = { type = "dtype", default = "f32" }
        inputs.x   = { dtype = "f32", shape = "n" }
        outputs.y  = { dtype = "By", shape = "n" }
        """)
    assert {v.name for v in op.dtypes} == {"W", "Own", "By"}


def test_an_attr_may_be_what_a_variable_is() -> None:
    op = resolved("""
        attrs.W     = { type = "dtype" }
        inputs.x    = { dtype = "f32", shape = "n" }
        outputs.y   = { dtype = "f32", shape = "n" }
        kernels     = [{ on = "cpu" }]
        """)
    assert [v.name for v in op.dtypes] == ["W"]
    assert op.kernels[0].dispatch == ("W",) and op.kernels[0].rows == (("f32",), ("f64",))
    op = resolved("""
        attrs.W     = { type = "dtype", optional = true }
        inputs.x    = { dtype = "f32", shape = "n" }
        outputs.y   = { dtype = "f32", shape = "n" }
        kernels     = [{ on = "cpu" }]
        """)
    assert op.kernels[0].dispatch == (), "W may be None"


# -- requirements of sizes --


@pytest.mark.parametrize(
    ("tables", "required"),
    [
        ('outputs.y = { dtype = "T", shape = "d" }', []),
        ('outputs.y = { dtype = "T", shape = "*batch d-1" }', ["d - 1 >= 0"]),
        ('outputs.y = { dtype = "T", shape = "2*(-d)+k" }', ["2 * -d + k >= 0"]),
        ('outputs.y = { dtype = "T", shape = "d-1", when = "flag" }', []),
        ('outputs.y = { dtype = "T", shape = "2*d+1" }', []),
        (
            'outputs.y = { dtype = "T", shape = "d-1", when = "flag" }\n'
            'outputs.z = { dtype = "T", shape = "d-2" }',
            ["d - 2 >= 0"],
        ),
        ('outputs.y = { dtype = "T", shape = { flag = "d-1", else = "d" } }', []),
        ('dims.k = "d - 2"\noutputs.y = { dtype = "T", shape = "k" }', ["k >= 0"]),
        (
            'dims.k = "d - 2"\nrequire = ["k > 5"]\noutputs.y = { dtype = "T", shape = "k" }',
            ["k > 5"],
        ),
        ('attrs.n = { type = "int" }\noutputs.y = { dtype = "T", shape = "n" }', ["n >= 0"]),
        (
            'attrs.n = { type = "int" }\nrequire = ["n > 5"]\noutputs.y = { dtype = "T", shape = "n" }',
            ["n > 5", "n >= 0"],
        ),
        ('attrs.n = { type = "int", min = 0 }\noutputs.y = { dtype = "T", shape = "n" }', []),
        (
            'attrs.n = { type = "int", min = -1 }\noutputs.y = { dtype = "T", shape = "n" }',
            ["n >= 0"],
        ),
        (
            'attrs.n = { type = "int[2]" }\noutputs.y = { dtype = "T", shape = "n[0] d" }',
            ["n[0] >= 0"],
        ),
        (
            'attrs.n = { type = "int[2]", min = 0 }\noutputs.y = { dtype = "T", shape = "n[0] d" }',
            [],
        ),
        (
            'outputs.y = { dtype = "T", shape = "d-1" }\nresiduals.r = { dtype = "T", shape = "d-1" }'
            '\nworkspace.w = { dtype = "T", shape = "d-3" }',
            ["d - 1 >= 0", "d - 3 >= 0"],
        ),
    ],
)
def test_what_is_made_has_no_negative_size(tables: str, required: list[str]) -> None:
    flag = "attrs.flag = { type = 'bool' }\n"
    op = resolved(f'{flag}inputs.x = {{ dtype = "T", shape = "*batch d" }}\n{tables}')
    assert texts(op.require) == required


def test_sizes_within_a_list_are_of_each_tensor() -> None:
    op = resolved("""
        inputs.xs  = { dtype = "T", shape = "s[i] d", list = "n" }
        outputs.ys = { dtype = "T", shape = "s[i]-1 d-1", list = "n" }
        """)
    assert [(text_of(r.condition), r.each) for r in op.require] == [
        ("s[i] - 1 >= 0", "n"),
        ("d - 1 >= 0", None),
    ]
    solved = [step for step in op.plan.steps if isinstance(step, Solve)]
    assert [(step.name, step.each) for step in solved] == [("s", True), ("d", False)]


# -- tensors --


def test_whether_an_input_is_written() -> None:
    op = resolved("""
        attrs.flag = { type = "bool" }
        inputs.a = { dtype = "T", shape = "n" }
        inputs.b = { dtype = "T", shape = "n", update = true }
        inputs.c = { dtype = "T", shape = "n", update = { flag = true, else = false } }
        inputs.d = { dtype = "T", shape = "n", update = { flag = true, "1 == 1" = true } }
        inputs.e = { dtype = "T", shape = "n", update = { flag = true } }
        inputs.f = { dtype = "T", shape = "n", update = { flag = false } }
        """)
    updates = [tensor.update for tensor in op.inputs]
    assert updates[:2] == [False, True] and updates[3] is True and updates[5] is False
    flag = parse_expr("flag")
    assert updates[2].cases == ((flag, True), (None, False))
    assert updates[4].cases == ((flag, True),)


def test_a_size_that_a_function_computes_is_an_attr() -> None:
    text = "def k(n):\n    return n\n"
    op = resolved(
        """
        inputs.x   = { dtype = "T", shape = "n" }
        attrs.by   = { type = "int", default = 1 }
        dims.k     = "sizes.py:k"
        dims.twice = "2*n"
        outputs.y  = { dtype = "T", shape = "k twice" }
        """,
        files={"sizes.py": text},
    )
    computed, by = op.attrs
    assert (computed.name, computed.type, computed.min, computed.required) == ("k", "int", 0, True)
    assert (computed.computed.file, computed.computed.name, computed.computed.text) == (
        "sizes.py",
        "k",
        text,
    )
    assert by.name == "by" and by.computed is None
    assert op.dims == (("twice", parse_expr("2*n")),)


def test_what_measures_the_memory_of_a_result_is_in_its_spec(monkeypatch) -> None:
    monkeypatch.setattr("opgen.targets.core.infer.MEASURES", ("init",))
    op = resolved("""
        inputs.x  = { dtype = "T", shape = "n" }
        outputs.y = { dtype = "T", shape = "n", init = "n + 1" }
        outputs.z = { dtype = "T", shape = "n" }
        """)
    results = InferBody(op).returns()
    assert results.count("init=") == 1 and "init=n + 1" in results


# -- kernels --


def test_kernels_without_sources_are_awaited() -> None:
    both = ROWS + 'kernels = ["cpu", "cuda"]'
    op = resolved(both, {"cpu": ("a.cpp",)})
    assert [k.platform for k in op.kernels] == ["cpu"] and op.kernels[0].sources == ("a.cpp",)
    assert [k.platform for k in op.awaited] == ["cuda"]
    named = resolved(
        ROWS + 'kernels = [{ on = "tpu", pallas = "m.py:plain" }]', files={"m.py": PALLAS}
    )
    assert [k.platform for k in named.kernels] == ["tpu"] and named.awaited == ()


def test_dispatch_is_on_free_variables_and_those_that_ask() -> None:
    op = resolved("""
        dtypes.Kept = { flag = "f64", else = "T" }
        dtypes.Lone = { flag = "f64", else = "f32" }
        attrs.flag  = { type = "bool" }
        attrs.out   = { type = "dtype", choices = ["f16", "f32"] }
        attrs.any   = { type = "dtype" }
        attrs.maybe = { type = "dtype", optional = true }
        inputs.x    = { dtype = "T", shape = "n" }
        outputs.y   = { dtype = "Kept", shape = "n" }
        kernels     = [{ on = "cpu", require = ["any == i32", "n > 5", "T != bf16"] }]
        """)
    (kernel,) = op.kernels
    assert kernel.dispatch == ("T", "out", "any", "Kept")
    assert set(kernel.rows) == {
        (t, out, "i32", kept)
        for t in ("f32", "f64")
        for out in ("f16", "f32")
        for kept in (t, "f64")
    }
    assert texts(kernel.require) == ["any == i32", "n > 5", "T != bf16"]


def test_rows_are_what_requirements_of_the_op_and_of_the_kernel_leave() -> None:
    op = resolved("""
        inputs.x    = { dtype = "T", shape = "n" }
        inputs.w    = { dtype = "W", shape = "n" }
        outputs.y   = { dtype = "Odd", shape = "n" }
        require     = ["T == f32 or W == f64"]
        kernels     = [{ on = "cpu", require = ["Odd == f64"], dispatch = ["Acc", "T"] }]
        """)
    assert set(op.kernels[0].rows) == {("f32", "f32"), ("f32", "bf16"), ("f64", "f64")}


def test_rows_that_a_requirement_of_more_than_dtypes_rules_out() -> None:
    op = resolved("""
        inputs.x    = { dtype = "T", shape = "n" }
        outputs.y   = { dtype = "T", shape = "n" }
        require     = ["T != f64 and n > 5", "T == f32 or n > 1"]
        kernels     = [{ on = "cpu" }]
        """)
    assert op.kernels[0].rows == (("f32",), ("bf16",))


def test_names_of_kernels() -> None:
    op = resolved(
        ROWS + """
        [[ops.op.kernels]]
        on        = "cpu"
        symbol = "wide"
        require = ["d > 9"]
        [[ops.op.kernels]]
        on        = "cpu"
        symbol = { "T == f64" = "double", else = "single" }
        name   = "named"
        [[ops.op.kernels]]
        on        = "cpu"
        symbol = { "T == f64" = "double", else = "single" }
        [[ops.op.kernels]]
        on        = "cpu"
        call    = "lib.so:st_rows(x, y)"
        [[ops.op.kernels]]
        on        = "cpu"
        tvm_ffi = "lib.so:rows(y, x)"
        [[ops.op.kernels]]
        on        = "cuda"
        triton = { function = "rows.py:mixed" }
        [[ops.op.kernels]]
        on        = "cuda"
        """,
        {"cpu": ("a.cpp",), "cuda": ("b.cu",)},
        {"rows.py": TRITON},
    )
    assert [(k.name, k.listed, k.sources, k.dispatch, k.args) for k in op.kernels] == [
        ("wide", True, ("a.cpp",), ("T",), ("x", "y")),
        ("named", True, ("a.cpp",), ("T",), ("x", "y")),
        ("double", True, ("a.cpp",), ("T",), ("x", "y")),
        ("st_rows", True, (), (), ("x", "y")),
        ("rows", True, (), (), ("y", "x")),
        ("mixed", True, (), ("T",), ("x", "y")),
        ("op", True, ("b.cu",), ("T",), ("x", "y")),
    ]
    assert op.kernels[6].symbol.only == "op"
    assert op.kernels[2].symbol.cases == ((parse_expr("T == f64"), "double"), (None, "single"))
    assert not resolved(ROWS + 'kernels = ["cpu"]', {"cpu": ("a.cpp",)}).kernels[0].listed


def test_one_kernel_beside_a_list_is_taken_as_of_a_list() -> None:
    op = resolved(
        ROWS + """
        kernels      = [
            "cuda",
            { on = "cpu", symbol = "a", require = ["d > 1"] },
            { on = "cpu", symbol = "b" },
        ]
        """,
        {"cpu": ("a.cpp",), "cuda": ("b.cu",)},
    )
    assert [k.listed for k in op.kernels] == [True, True, True]


# -- Triton --

BY_TRITON = """
inputs.x    = { dtype = "T", shape = "*batch d" }
inputs.bias = { dtype = "f32", shape = "d", optional = true }
outputs.y   = { dtype = "Acc", shape = "*batch d" }
attrs.by    = { type = "float", default = 2.0 }
"""


def test_a_kernel_in_triton() -> None:
    op = resolved(
        BY_TRITON + """
        [[ops.op.kernels]]
        on        = "cuda"
        grid      = ["prod(batch)", 2]
        block     = [64]
        triton.function  = "rows.py:rows"
        triton.constexpr = { BLOCK = { d = [16, 64] }, BIASED = "present(bias)", K = 5 }
        triton.aligned   = ["x", "d"]
        triton.num_warps     = 8
        triton.num_stages    = 2
        """,
        files={"rows.py": TRITON},
    )
    (kernel,) = op.kernels
    assert texts(kernel.require) == ["d <= 64"] and kernel.sources == ()
    assert kernel.grid == (parse_expr("prod(batch)"), parse_expr("2"))
    assert kernel.block == (parse_expr("64"),)
    triton = kernel.code
    assert (triton.file, triton.function) == ("rows.py", "rows")
    assert triton.arguments == ("x_ptr", "x", "y", "d", "by", "scale")
    assert [(c.name, c.values, c.expr) for c in triton.constants] == [
        ("BLOCK", (16, 64), parse_expr("d")),
        ("BIASED", (False, True), parse_expr("present(bias)")),
        ("K", (5,), None),
    ]
    assert triton.dtypes == (
        {"x": "f32", "y": "f32"},
        {"x": "bf16", "y": "f32"},
        {"x": "f64", "y": "f64"},
    )
    assert (triton.aligned, triton.num_warps, triton.num_stages) == (("x", "d"), 8, 2)
    assert triton.tuned == () and triton.grid == ()


def test_a_tuned_grid_is_of_the_fields_of_the_descriptor() -> None:
    op = resolved(
        BY_TRITON + """
        descriptor.width = { type = "i64", value = "d" }
        descriptor.one   = { type = "i64", value = "1" }
        descriptor.rows  = { type = "i64", value = "prod(batch)" }
        descriptor.both  = { type = "i32[2]", value = "pads" }
        attrs.pads       = { type = "int[2]", default = [1, 1] }
        [[ops.op.kernels]]
        on        = "cuda"
        triton = { function = "rows.py:mixed" }
        grid   = ["ceildiv(d, BLOCK)", "prod(batch) + pads[0]", 1]
        tune   = { BLOCK = [64, 128] }
        """,
        files={"rows.py": TRITON},
    )
    (kernel,) = op.kernels
    assert kernel.grid == ()
    assert kernel.code.tuned == (("BLOCK", (64, 128)),)
    assert list(map(text_of, kernel.code.grid)) == [
        "ceildiv(width, BLOCK)",
        "rows + pads[0]",
        "1",
    ]


def test_a_dtype_that_calls_differ_in_is_left_open() -> None:
    op = resolved(
        """
        dtypes.Kept  = { flag = "f64", else = "T" }
        attrs.flag   = { type = "bool" }
        inputs.x     = { dtype = "T", shape = "n" }
        inputs.m     = { dtype = { flag = "f32", else = "f64" }, shape = "n" }
        outputs.y    = { dtype = "Kept", shape = "n" }
        kernels      = [{ on = "cuda", triton = { function = "rows.py:mixed" }, dispatch = ["T"], require = ["T == bf16"] }]
        """,
        files={"rows.py": TRITON},
    )
    assert op.kernels[0].code.dtypes == ({"x": "bf16", "m": "", "y": ""},)


# -- Pallas --


def test_a_kernel_in_pallas() -> None:
    op = resolved(
        """
        inputs.x      = { dtype = "T", shape = "*batch k" }
        inputs.w      = { dtype = "T", shape = "k n" }
        inputs.scale  = { dtype = "f32", shape = "" }
        inputs.bias   = { dtype = "T", shape = "n", optional = true }
        attrs.by      = { type = "float", default = 2.0 }
        dims.d        = "2*k"
        outputs.y     = { dtype = "T", shape = "*batch n" }
        workspace.sum = { dtype = "Acc", shape = "d n+1" }
        kernels       = [{ on = "tpu", pallas = "m.py:product", blocks = { batch = "max(8, k)", n = 128 } }]
        """,
        {"tpu": ("left.py",)},
        {"m.py": PALLAS},
    )
    (kernel,) = op.kernels
    pallas = kernel.code
    assert kernel.sources == () and texts(kernel.require) == ["numel(x) > 0", "numel(w) > 0"]
    assert (pallas.file, pallas.function) == ("m.py", "product")
    assert pallas.tensors == ("x", "w", "y", "sum", "scale")
    assert pallas.values == ("by", "batch", "k", "d")
    assert [(n, text_of(e)) for n, e in pallas.blocks] == [("batch", "max(8, k)"), ("n", "128")]
    assert {name: text_of(each) for name, each in sizes(op, pallas).items()} == {
        "batch": "prod(batch)",
        "k": "k",
        "n": "n",
        "d": "d",
        "n+1": "n + 1",
        "Acc": "Acc",
        "block of batch": "max(8, k)",
    }


def test_sizes_of_what_a_kernel_in_pallas_asks_for() -> None:
    op = resolved(
        """
        inputs.x    = { dtype = "T", shape = "k" }
        inputs.z    = { dtype = "T", shape = "*rest m" }
        attrs.by    = { type = "int" }
        dims.twice  = "2*k"
        outputs.y   = { dtype = "T", shape = "m k" }
        workspace.s = { dtype = "f32", shape = "k" }
        workspace.t = { dtype = "Acc", shape = "k" }
        kernels     = [{ on = "tpu", pallas = "m.py:scratch" }]
        """,
        files={"m.py": PALLAS},
    )
    pallas = op.kernels[0].code
    assert pallas.tensors == ("x", "s") and pallas.values == ("rest", "twice", "by")
    found = {name: text_of(each) for name, each in sizes(op, pallas).items()}
    assert found == {"k": "k", "rest": "prod(rest)", "twice": "twice"}


def test_a_kernel_in_pallas_that_asks_for_no_sizes_needs_those_of_its_tensors() -> None:
    op = resolved(
        """
        inputs.x    = { dtype = "T", shape = "*batch k-1" }
        outputs.y   = { dtype = "T", shape = "k" }
        kernels     = [{ on = "tpu", pallas = "m.py:plain" }]
        """,
        files={"m.py": PALLAS},
    )
    found = {name: text_of(each) for name, each in sizes(op, op.kernels[0].code).items()}
    assert found == {"batch": "prod(batch)", "k-1": "k - 1", "k": "k"}


@pytest.mark.parametrize(
    ("row", "rows", "column"),
    [
        (["m"], [["m"], ["m", "n"]], True),
        (["n"], [["n"], ["m", "n"]], False),
        (["m"], [["m"]], False),
        (["m"], [["m", "n"], ["k", "m"]], False),
        (["m"], [["m", "n"], ["k", "l"]], True),
        (["m", "n"], [["m", "n"]], False),
        (["k"], [["m", "n"]], False),
        (["k"], [["m", "k", "n"]], True),
        (["n"], [["m", "k", "n"], ["n", "m"]], False),
    ],
)
def test_columns_of_a_matrix(row: list[str], rows: list[list[str]], column: bool) -> None:
    assert is_column(row, rows) is column


# -- values that are tuned --


def test_tuned_values_are_chosen_by_dtypes_and_sizes() -> None:
    op = resolved("""
        attrs.by    = { type = "int" }
        inputs.x    = { dtype = "T", shape = "*batch d" }
        inputs.s    = { dtype = "i64", shape = "" }
        outputs.y   = { dtype = "T", shape = "*batch d" }
        descriptor.d     = { type = "i64", value = "d" }
        descriptor.rows  = { type = "i32", value = "prod(batch)" }
        descriptor.rank  = { type = "i64", value = "len(batch)" }
        descriptor.step  = { type = "i64", value = "stride(x, d)" }
        descriptor.by    = { type = "i64", value = "by" }
        descriptor.share = { type = "f64", value = "1 / d" }
        descriptor.less  = { type = "i64", value = "ceildiv(d, 2)" }
        kernels     = [{ on = "cpu", tune = { chunk = [1, 2] } }]
        """)
    tune = op.kernels[0].tune
    assert (tune.parameters, tune.dtypes, tune.sizes) == (
        (("chunk", (1, 2)),),
        ("T",),
        ("d", "rows", "less"),
    )
    assert resolved(ROWS + 'kernels = ["cpu"]', {"cpu": ("a.cpp",)}).kernels[0].tune is None


# -- what is taken over as it is written --


def test_what_a_kernel_says_is_kept() -> None:
    op = resolved(
        ROWS + """
        residuals.r = { dtype = "f32", shape = "d" }
        workspace.w = { dtype = "f32", shape = "d" }
        attrs.by    = { type = "int", default = 1 }
        [[ops.op.kernels]]
        on        = "cpu"
        symbol    = "rows"
        grid      = ["prod(batch)"]
        index     = "i32"
        scratch   = "bytes"
        require   = [{ "d > 1" = "more columns" }]
        [[ops.op.kernels]]
        on        = "cpu"
        call    = "lib.so:st_rows(x, y)"
        [[ops.op.kernels]]
        on        = "cpu"
        tvm_ffi = "lib.so:rows"
        [[ops.op.kernels]]
        on        = "neuron"
        nki     = "module:kernel"
        [[ops.op.kernels]]
        on        = "tpu"
        pallas  = "m.py:product"
        """,
        {"cpu": ("a.cpp",)},
        {"m.py": PALLAS},
    )
    rows, call, ffi, neuron, tpu = op.kernels
    assert (rows.index, rows.workspace, call.index, call.workspace) == ("i32", "bytes", "i64", None)
    assert rows.grid == (parse_expr("prod(batch)"),)
    assert [(text_of(r.condition), r.message) for r in rows.require] == [("d > 1", "more columns")]
    assert (call.library, call.call, call.tvm_ffi) == ("lib.so", "st_rows(x, y)", None)
    assert ffi.tvm_ffi is not None and ffi.call is None
    assert [kernel.platform for kernel in op.kernels] == ["cpu", "cpu", "cpu", "neuron", "tpu"]
    assert rows.named is None and neuron.named and tpu.named and call.named
    assert neuron.options["nki"] == "module:kernel"
    assert rows.args == ("x", "y", "r", "w", "by")
    assert [kernel.listed for kernel in op.kernels] == [True, True, True, False, False]
    assert tpu.name == "product" and tpu.kind == "pallas" and rows.code is None


def test_rows_are_those_of_calls_as_attrs_have_them() -> None:
    op = resolved("""
        dtypes.Kept = { flag = "f64", else = "T" }
        attrs.flag  = { type = "bool" }
        inputs.x    = { dtype = "T", shape = "n" }
        outputs.y   = { dtype = "Kept", shape = "n" }
        require     = ["flag or T == f32"]
        kernels     = [{ on = "cpu" }]
        """)
    assert set(op.kernels[0].rows) == {(t, "f64") for t in ("f32", "bf16", "f64")} | {
        ("f32", "f32")
    }


def test_what_a_tensor_says_is_kept() -> None:
    op = resolved("""
        attrs.flag  = { type = "bool" }
        inputs.x    = { dtype = "T", shape = "m n", doc = "The rows.", differentiable = false }
        inputs.b    = { dtype = "f32", shape = "n", optional = true, values = "b > 0" }
        inputs.h    = { dtype = "i32", shape = "n", device = "cpu" }
        inputs.s    = { dtype = "u32", shape = "2", seed = true }
        outputs.y   = { dtype = "T", shape = "m n", when = "flag", init = "1", align = 16 }
        residuals.r = { dtype = "f32", shape = "m-1", reduce = { n = "sum" } }
        workspace.w = { dtype = "f32", shape = "n" }
        """)
    x, b, h, s = op.inputs
    roles = ("input", "input", "output", "residual", "workspace")
    assert tuple(op.tensor(name).role for name in "xbyrw") == roles
    assert (x.doc, x.differentiable, x.optional, x.floating) == ("The rows.", False, False, True)
    assert b.optional and b.values.only == parse_expr("b > 0") and b.differentiable
    assert (h.device, x.device, h.floating, s.seed, x.seed) == ("cpu", None, False, True, False)
    (y,), (r,) = op.outputs, op.residuals
    assert (y.when, y.init, y.align) == (parse_expr("flag"), parse_expr("1"), 16)
    assert [(name, how.only) for name, how in r.reduce] == [("n", "sum")]
    assert texts(op.require) == ["m - 1 >= 0"]


def test_what_an_op_says_is_kept() -> None:
    op = resolved(
        """
        replaces   = ["torch.relu"]
        vmap       = "loop"
        autocast   = "f32"
        reference  = "family.py:op"
        guarantees = ["deterministic"]
        inputs.x   = { dtype = "T", shape = "m n" }
        outputs.y  = { dtype = "T", shape = "m n" }
        require    = [{ "m > 1" = "more rows" }]
        kernels    = ["cpu", "reference"]
        cost       = { flops = "2*m" }
        samples    = [{ m = 2, n = 3 }]
        sharding   = { split = ["m"] }
        grad.formulas = { x = "dy*2" }
        """,
        head=HEAD.replace('grad      = "none"\n', "").replace('sharding  = "replicate"\n', ""),
    )
    assert (op.name, op.family, op.spec, op.doc) == ("op", "family", "family.toml", "An op.")
    assert (op.replaces, op.vmap, op.autocast) == (("torch.relu",), "loop", "f32")
    assert (op.reference, op.fallback) == ("family.py:op", True)
    assert op.guarantees.deterministic
    assert op.split.only == ("m",)
    assert op.cost == (("flops", parse_expr("2*m")),)
    assert [dict(sample) for sample in op.samples] == [{"m": 2, "n": 3}]
    assert [(text_of(r.condition), r.message) for r in op.require] == [("m > 1", "more rows")]
    grad = op.grad.only
    assert (grad.kind, grad.calls, grad.require) == ("rules", (), ())
    assert grad.formulas == (("x", parse_expr("dy*2")),)


# -- gradients --

BY_RULES = HEAD.replace('grad      = "none"\n', "")


@pytest.mark.parametrize("table", ["inputs", "outputs", "residuals"])
def test_formulas_are_split_by_the_shapes_of_what_they_name(table: str) -> None:
    shapes = dict.fromkeys(("x", "w", "y", "r"), '"m n"')
    shapes[{"inputs": "w", "outputs": "y", "residuals": "r"}[table]] = '{ by = "n", else = "m n" }'
    op = resolved(
        f"""
        attrs.by      = {{ type = "bool" }}
        inputs.x      = {{ dtype = "T", shape = {shapes["x"]} }}
        inputs.w      = {{ dtype = "T", shape = {shapes["w"]} }}
        outputs.y     = {{ dtype = "T", shape = {shapes["y"]} }}
        residuals.r   = {{ dtype = "T", shape = {shapes["r"]} }}
        grad.formulas = {{ x = "dy*w*r" }}
        """,
        head=BY_RULES,
    )
    assert [condition for condition, _ in op.grad.cases] == [parse_expr("by"), None]


def test_gradients_by_other_ops_and_what_they_require() -> None:
    op = resolved(
        """
        attrs.by  = { type = "int" }
        inputs.x  = { dtype = "T", shape = "n" }
        inputs.w  = { dtype = "T", shape = "n" }
        outputs.y = { dtype = "T", shape = "n" }
        grad      = { backward = "back", require = [{ "by > 1" = "more" }] }
        [ops.back]
        doc        = "Its gradients."
        inputs.dy  = { dtype = "T", shape = "n" }
        inputs.x   = { dtype = "T", shape = "n" }
        inputs.w   = { dtype = "T", shape = "n" }
        outputs.dx = { dtype = "T", shape = "n" }
        outputs.dw = { dtype = "T", shape = "n" }
        grad       = "none"
        sharding   = "replicate"
        """,
        head=BY_RULES,
    )
    grad = op.grad.only
    assert [call.op for call in grad.calls] == ["back"] and grad.formulas == ()
    assert [(text_of(r.condition), r.message) for r in grad.require] == [("by > 1", "more")]


@pytest.mark.parametrize(
    "grad, more, linear",
    [
        ('{ backward = "back" }', "", [("dy", "dz")]),
        ('{ backward = { op = "back", args = { by = "2*by" } } }', "", [("dy", "dz")]),
        ('{ backward = { op = "back", args = { dz = "x" } } }', "", [("dy",)]),
        ('{ backward = { op = "back", args = { by = "2" } } }', "", []),
        ('{ backward = { op = "back", args = { x = "None" } } }', "", []),
        ('{ backward = "back", require = ["by > 1"] }', "", []),
        ('{ "by > 1" = { backward = "back" }, else = "none" }', "", []),
        ('{ backward = "back" }', 'outputs.top = { dtype = "T", shape = "" }', []),
        ('{ backward = "back" }', 'inputs.sum = { dtype = "T", shape = "n", updates = true }', []),
    ],
)
def test_inputs_in_which_an_op_is_linear(grad: str, more: str, linear: list[tuple[str]]) -> None:
    text = f"""
        attrs.by   = {{ type = "int" }}
        inputs.x   = {{ dtype = "T", shape = "n" }}
        outputs.y  = {{ dtype = "T", shape = "n" }}
        outputs.z  = {{ dtype = "T", shape = "n" }}
        grad       = {grad}
        [ops.back]
        doc        = "Its gradient."
        attrs.by   = {{ type = "int" }}
        inputs.dy  = {{ dtype = "T", shape = "n" }}
        inputs.dz  = {{ dtype = "T", shape = "n" }}
        inputs.x   = {{ dtype = "T", shape = "n", optional = true }}
        outputs.dx = {{ dtype = "T", shape = "n" }}
        {more}
        grad       = "none"
        sharding   = "replicate"
        """
    op, back = (resolved(text, head=BY_RULES, name=name) for name in ("op", "back"))
    assert [*linear_in([op, back], back)] == linear


# -- bundles --

BUNDLE = """
[bundles.quantized]
data  = { doc = "Numbers.", dtype = "i8", shape = "n k" }
scale = { doc = "Factors.", dtype = "f32", shape = "n" }
zero  = { doc = "Zeros.", dtype = "f32", shape = "n", optional = true }
"""


def test_tensors_of_a_bundle() -> None:
    op = resolved(
        """
        inputs.x  = { dtype = "T", shape = "n" }
        inputs.w  = { bundle = "quantized" }
        outputs.y = { bundle = "quantized", members = ["scale"], when = "by" }
        attrs.by  = { type = "bool" }
        """,
        head=HEAD.replace("[ops.op]", BUNDLE + "[ops.op]"),
    )
    w, y = op.bundles
    assert (w.name, w.role, w.kind, w.always) == ("w", "input", "quantized", True)
    assert (y.name, y.role, y.kind, y.always) == ("y", "output", "quantized", False)
    assert dict(w.members) == {"data": "w_data", "scale": "w_scale", "zero": "w_zero"}
    assert dict(y.members) == {"data": None, "scale": "y_scale", "zero": None}
    assert w.fields == (
        ("data", "Numbers.", False),
        ("scale", "Factors.", False),
        ("zero", "Zeros.", True),
    )


# -- sizes --


def test_sizes_that_functions_compute_are_known_after_what_inputs_tell() -> None:
    op = resolved(
        """
        attrs.late = { type = "int", default = "m" }
        inputs.w   = { dtype = "T", shape = "k*m late" }
        inputs.x   = { dtype = "T", shape = "n" }
        dims.k     = "sizes.py:k"
        outputs.y  = { dtype = "T", shape = "m" }
        """,
        files={"sizes.py": "def k(n):\n    return n\n"},
    )
    steps = [step for step in op.plan.steps if not isinstance(step, Rank)]
    assert {step.name for step in op.plan.steps[: op.plan.early] if step in steps} == {"n", "late"}
    assert {step.name for step in steps} == {"n", "late", "m"}
    plain = resolved(ROWS)
    assert plain.plan.early == len(plain.plan.steps) and plain.plan.unsure == ()
    assert all(step.guard == Guard(present=False) for step in plain.plan.steps)


def test_how_many_a_list_holds_is_asked_of_the_first_that_is_there() -> None:
    op = resolved("""
        inputs.xs  = { dtype = "T", shape = "d", list = "n", optional = true }
        inputs.ys  = { dtype = "T", shape = "d", list = "n" }
        inputs.zs  = { dtype = "T", shape = "d", list = "n" }
        outputs.y  = { dtype = "T", shape = "d n" }
        """)
    asked = [step for step in op.plan.steps if isinstance(step, Length)]
    assert [(step.tensor, learns(step)) for step in asked] == [("xs", "n"), ("ys", "n")]
    assert [(s.guard.present, s.guard.unknown) for s in asked] == [(True, False), (False, True)]


def test_a_derived_dim_is_not_what_a_list_holds() -> None:
    op = resolved("""
        inputs.xs = { dtype = "T", shape = "d", list = "twice" }
        inputs.x  = { dtype = "T", shape = "m" }
        dims.twice = "2*m"
        outputs.y = { dtype = "T", shape = "d" }
        """)
    assert not any(isinstance(step, Length) for step in op.plan.steps)


def test_a_rank_is_checked_for_what_a_group_leaves_open() -> None:
    op = resolved("""
        inputs.a  = { dtype = "T", shape = "*rest", optional = true }
        inputs.b  = { dtype = "T", shape = "*batch d" }
        inputs.x  = { dtype = "T", shape = "*batch *rest d" }
        outputs.y = { dtype = "T", shape = "d" }
        """)
    asked = [s for s in op.plan.steps if isinstance(s, Rank) and s.tensor == "x"]
    assert [(s.open, s.guard.unknown, s.count.groups) for s in asked] == [
        (False, False, ("batch", "rest")),
        (True, True, ("batch",)),
    ]
    assert [s.guard.known for s in asked] == [("rest",), ()]
    assert learns(asked[1]) == "rest"


def test_a_form_is_chosen_once_its_groups_are_known() -> None:
    text = """
        inputs.x  = {{ dtype = "T", shape = ["*batch d", "d"] }}
        inputs.w  = {{ dtype = "T", shape = "*batch", optional = {} }}
        outputs.y = {{ dtype = "T", shape = "d" }}
        """
    for optional, known in (("false", ()), ("true", ("batch",))):
        op = resolved(text.format(optional))
        steps = [step for step in op.plan.steps if isinstance(step, Take | Choose)]
        assert [(type(step), step.tensor) for step in steps] == [(Take, "w"), (Choose, "x")]
        assert steps[1].guard == Guard(present=False, known=known)
        assert [len(shape.terms) for shape in steps[1].shapes] == [2, 1]
        assert {s.tensor for s in op.plan.steps if isinstance(s, Rank)} <= {"w"}


def test_a_group_twice_in_a_shape_is_learnt_elsewhere() -> None:
    op = resolved("""
        inputs.v  = { dtype = "T", shape = "*batch d *batch" }
        inputs.x  = { dtype = "T", shape = "*batch d *batch *rest" }
        inputs.w  = { dtype = "T", shape = "*batch" }
        outputs.y = { dtype = "T", shape = "d" }
        """)
    steps = [step for step in op.plan.steps if isinstance(step, Take)]
    assert [(step.tensor, step.name) for step in steps] == [("w", "batch"), ("x", "rest")]


@pytest.mark.parametrize(
    ("shape", "from_end"),
    [("d", False), ("d *batch", False), ("*batch d", True), ("*batch d *rest", False)],
)
def test_a_size_is_counted_from_the_end_that_has_no_group(shape: str, from_end: bool) -> None:
    op = resolved(f"""
        inputs.w  = {{ dtype = "T", shape = "*batch" }}
        inputs.v  = {{ dtype = "T", shape = "*rest" }}
        inputs.x  = {{ dtype = "T", shape = "{shape}" }}
        outputs.y = {{ dtype = "T", shape = "d" }}
        """)
    assert [s.from_end for s in op.plan.steps if isinstance(s, Solve)] == [from_end]


def test_a_size_that_some_calls_know_already_is_learnt_where_it_is_unknown() -> None:
    op = resolved("""
        inputs.a  = { dtype = "T", shape = "k", optional = true }
        inputs.x  = { dtype = "T", shape = "k*m n" }
        inputs.w  = { dtype = "T", shape = "m" }
        outputs.y = { dtype = "T", shape = "n" }
        """)
    steps = [step for step in op.plan.steps if isinstance(step, Solve)]
    assert [(s.tensor, s.name, s.guard.unknown, s.guard.known) for s in steps] == [
        ("a", "k", False, ()),
        ("x", "m", False, ("k",)),
        ("x", "n", False, ()),
        ("w", "m", True, ()),
        ("x", "k", True, ()),
    ]


@pytest.mark.parametrize(
    ("term", "name", "factor", "offset", "each"),
    [
        ("2*s[i]-1", "s", "2", "-1", True),
        ("-(-s[i])", "s", "1", "0", True),
        ("at[0]+k", "k", "1", "at[0]", False),
    ],
)
def test_a_size_is_solved_for_in_a_term(
    term: str, name: str, factor: str, offset: str, each: bool
) -> None:
    of_a_list = ', list = "n"' if each else ""
    op = resolved(f"""
        attrs.at  = {{ type = "int[]" }}
        inputs.x  = {{ dtype = "T", shape = "{term} d"{of_a_list} }}
        outputs.y = {{ dtype = "T", shape = "d" }}
        """)
    found = next(step for step in op.plan.steps if isinstance(step, Solve))
    assert (found.name, text_of(found.factor), text_of(found.offset), found.each) == (
        name,
        factor,
        offset,
        each,
    )


def test_a_size_that_a_function_computes_is_not_learnt_from_a_tensor() -> None:
    op = resolved(
        """
        inputs.w  = { dtype = "T", shape = "k" }
        inputs.x  = { dtype = "T", shape = "n" }
        dims.k    = "sizes.py:k"
        outputs.y = { dtype = "T", shape = "n" }
        """,
        files={"sizes.py": "def k(n):\n    return n\n"},
    )
    assert [step.name for step in op.plan.steps if isinstance(step, Solve)] == ["n"]


def test_names_that_some_calls_never_learn_are_unsure() -> None:
    op = resolved("""
        inputs.a  = { dtype = "T", shape = "k", optional = true }
        inputs.x  = { dtype = "T", shape = "n" }
        outputs.y = { dtype = "T", shape = "n" }
        """)
    assert op.plan.unsure == ("k",)
