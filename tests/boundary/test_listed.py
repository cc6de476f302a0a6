"""With a list of kernels, every call runs the first one that accepts it, in both frameworks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from opgen.testing.gloo import everywhere

RUNTIME = Path(__file__).parents[2] / "runtime" / "include"
# The kernel that runs, its index, and the call: shape, dtype, `careful`.
CALLS = [
    ("ranked_wide", 0, (5, 64), "float32", False),
    ("ranked_half", 1, (5, 8), "bfloat16", False),
    ("ranked_careful", 2, (5, 8), "float64", True),
    ("ranked_gridded", 3, (3, 8), "float32", False),
    ("reference", -1, (5, 8), "float32", False),
    ("reference", -1, (0, 8), "float32", False),
]
# Rows, columns, and the index of the kernel that runs for them in f32.
SIZES = [(3, 64, 0), (9, 65, 0), (4, 9, 3), (70, 7, -1)]
each_call = pytest.mark.parametrize("name, number, shape, dtype, careful", CALLS)


@each_call
def test_torch_runs_the_one_that_takes_the_call(
    boundary: ModuleType, name: str, number: int, shape: tuple[int, int], dtype: str, careful: bool
) -> None:
    import torch
    from boundary.torch import ranked

    x = torch.randn(*shape).to(getattr(torch, dtype)).requires_grad_()
    y, ran = ranked(x, careful=careful)
    assert ran.tolist() == [number] * shape[0] and torch.equal(y, 2 * x)
    y.sum().backward()
    assert torch.equal(x.grad, torch.full_like(x, 2))
    if shape[0]:
        assert ranked.which(x, careful=careful).kernel == name


@each_call
def test_jax_runs_the_one_that_takes_the_call(
    boundary: ModuleType, name: str, number: int, shape: tuple[int, int], dtype: str, careful: bool
) -> None:
    import jax
    import jax.numpy as jnp
    from boundary.jax import ranked

    with jax.enable_x64(True):
        x = jnp.asarray(np.random.default_rng(0).normal(size=shape)).astype(dtype)
        for function in (ranked, jax.jit(ranked, static_argnames="careful")):
            y, ran = function(x, careful=careful)
            assert ran.tolist() == [number] * shape[0] and (y == 2 * x).all()
        if shape[0]:
            assert ranked.which(x, careful=careful).kernel == name


def test_one_compilation_serves_all_sizes(boundary: ModuleType) -> None:
    import torch
    from boundary.torch import ranked

    compiled = []

    def backend(graph: torch.fx.GraphModule, _: object) -> torch.fx.GraphModule:
        compiled.append(graph)
        return graph

    function = torch.compile(lambda x: ranked(x)[1], dynamic=True, fullgraph=True, backend=backend)
    for rows, d, number in SIZES:
        assert function(torch.ones(rows, d)).tolist() == [number] * rows
    assert len(compiled) == 1


def test_an_exported_program_chooses_when_it_knows_the_sizes(boundary: ModuleType) -> None:
    import jax
    import jax.numpy as jnp
    from boundary.jax import ranked

    shape = jax.export.symbolic_shape("n, d")
    function = jax.jit(lambda x: ranked(x)[1])
    ours = jax.export.DisabledSafetyCheck.custom_call("boundary.ranked")
    exported = jax.export.export(function, disabled_checks=[ours])
    program = exported(jax.ShapeDtypeStruct(shape, jnp.float32))
    for rows, d, number in SIZES:
        if number >= 0:
            assert program.call(jnp.ones((rows, d))).tolist() == [number] * rows


def test_a_shard_chooses_for_itself(boundary: ModuleType) -> None:
    import jax
    import jax.numpy as jnp
    from boundary.jax import ranked

    mesh = jax.make_mesh((2,), ("i",), devices=jax.devices()[:2])
    split = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("i"))
    for rows, d, number in ((6, 8, 3), (10, 64, 0)):
        x = jax.device_put(jnp.ones((rows, d)), split)
        assert jax.jit(ranked)(x)[1].tolist() == [number] * rows
    assert ranked(jnp.ones((6, 8)))[1].tolist() == [-1] * 6


@pytest.mark.slow
def test_a_shard_chooses_for_itself_in_torch(boundary: ModuleType, project: Path) -> None:
    for rows, d, numbers in (
        (6, 8, [3] * 6),
        (10, 64, [0] * 10),
        (9, 8, [-1] * 5 + [3] * 4),
    ):
        assert everywhere(2, of_shards, str(project), rows, d) == [numbers] * 2


def of_shards(project: str, rows: int, d: int) -> list[int]:
    """Make a sharded call, check its results, and return the index of each row's kernel."""
    import torch
    from torch.distributed.tensor import Shard, distribute_tensor, init_device_mesh

    if project not in sys.path:
        sys.path.insert(0, project)
    from boundary.torch import ranked

    mesh = init_device_mesh("cpu", (torch.distributed.get_world_size(),))
    whole = torch.arange(rows * d, dtype=torch.float32).reshape(rows, d)
    x = distribute_tensor(whole, mesh, [Shard(0)]).requires_grad_()
    y, ran = ranked(x)
    y.sum().backward()
    for tensor in (y, ran):
        assert tensor.placements == (Shard(0),), tensor.placements
    assert torch.equal(y.full_tensor(), 2 * whole)
    assert torch.equal(x.grad.full_tensor(), torch.full_like(whole, 2))
    numbers: list[int] = ran.full_tensor().tolist()
    return numbers


@pytest.mark.parametrize("way", ["eager", "compiled", "exported"])
def test_a_profiler_shows_which_ran(boundary: ModuleType, way: str) -> None:
    import torch
    from boundary.torch import ranked

    class Ranked(torch.nn.Module):
        def forward(self, x: torch.Tensor, careful: bool) -> torch.Tensor:
            return ranked(x, careful=careful)[1]

    for name, _, shape, dtype, careful in CALLS[:-1]:
        x = torch.randn(*shape).to(getattr(torch, dtype))
        call = Ranked()
        if way == "compiled":
            call = torch.compile(call, backend="aot_eager", fullgraph=True)
        if way == "exported":
            call = torch.export.export(call, (x, careful)).module()
        call(x, careful)
        with torch.profiler.profile() as profiler:
            call(x, careful)
        ranges = {e.name: e.cpu_parent for e in profiler.events() if e.name.startswith("ranked: ")}
        assert list(ranges) == [f"ranked: {name}"]
        assert ranges[f"ranked: {name}"].name == "boundary::ranked"


def test_which_says_why_the_others_do_not(boundary: ModuleType) -> None:
    import torch
    from boundary.torch import ranked, ranked_or_refused

    assert ranked.kernels()["cpu"] == tuple(name for name, *_ in CALLS[:4])
    assert ranked.which(torch.ones(5, 64)) == (
        "ranked_wide",
        {
            "ranked_half": "requires bf16",
            "ranked_careful": "requires careful",
            "ranked_gridded": "requires prod(batch) <= 4",
            "reference": "`ranked_wide` comes first",
        },
    )
    assert ranked_or_refused.which(torch.ones(2, 6)).kernel == "even"
    assert ranked_or_refused.which(torch.ones(2, 5)).kernel is None


def test_a_call_that_none_takes_is_refused(boundary: ModuleType) -> None:
    import jax.numpy as jnp
    import torch
    from boundary import jax
    from boundary import torch as ours

    assert ours.ranked_or_refused(torch.ones(2, 9))[1].tolist() == [3, 3]
    with pytest.raises(ValueError, match="no kernel takes this call: `even` requires d % 2 == 0"):
        ours.ranked_or_refused(torch.ones(2, 5))
    with pytest.raises(ValueError, match="requires d % 2 == 0 or d % 3 == 0"):
        jax.ranked_or_refused(jnp.ones((2, 5)))


def test_one_is_forced(boundary: ModuleType) -> None:
    import jax
    import jax.numpy as jnp
    import torch
    from boundary import kernels
    from boundary.jax import ranked
    from boundary.torch import ranked as in_torch

    traced = []
    function = jax.jit(lambda x: (traced.append(x), ranked(x)[1])[1])
    x, given = jnp.ones((3, 64)), torch.ones(3, 64)
    for name, number in ((None, 0), ("ranked_gridded", 3), ("reference", -1), (None, 0)):
        with kernels(**({} if name is None else {"ranked": name})):
            assert function(x).tolist() == ranked(x)[1].tolist() == [number] * 3
            assert in_torch(given)[1].tolist() == [number] * 3
            assert in_torch.which(given).kernel == (name or "ranked_wide")
    assert len(traced) == 3
    with kernels(ranked="ranked_gridded"):
        for call in (lambda: in_torch(torch.ones(9, 64)), lambda: ranked(jnp.ones((9, 64)))):
            with pytest.raises(Exception, match=r"is forced requires prod\(batch\) <= 4, got"):
                call()


def test_calls_ask_for_what_kernels_guarantee(boundary: ModuleType) -> None:
    import jax
    import jax.numpy as jnp
    import torch
    from boundary import kernels
    from boundary.jax import ranked
    from boundary.torch import ranked as in_torch

    jitted = jax.jit(lambda x: ranked(x)[1])
    compiled = torch.compile(lambda x: in_torch(x)[1], fullgraph=True, backend="aot_eager")
    for asked, small, large in (  # no kernel mentions `exact`
        ((), 0, 0),
        (("deterministic",), 3, -1),
        (("invariant", "deterministic"), 3, None),
        (("exact",), 0, 0),
    ):
        with kernels(*asked):
            for rows, number in ((3, small), (9, large)):
                x, given = jnp.ones((rows, 64)), torch.ones(rows, 64)
                calls = (lambda: ranked(x)[1], lambda: jitted(x)), (
                    lambda: in_torch(given)[1],
                    lambda: compiled(given),
                )
                for call in (*calls[0], *calls[1]):
                    if number is not None:
                        assert call().tolist() == [number] * rows
                        continue
                    with pytest.raises(Exception, match=r"ask for: deterministic, invariant; `r"):
                        jax.block_until_ready(call())
                found = {None: None, 0: "ranked_wide", 3: "ranked_gridded", -1: "reference"}
                for which in (in_torch.which(given), ranked.which(x)):
                    assert which.kernel == found[number]
    with kernels("deterministic", ranked="ranked_wide"):  # a named kernel runs anyway
        assert ranked(jnp.ones((3, 64)))[1].tolist() == in_torch(torch.ones(3, 64))[1].tolist()
        assert in_torch.which(torch.ones(3, 64)).kernel == "ranked_wide"
    with kernels("deterministic"):
        others = in_torch.which(torch.ones(3, 64)).others
        assert others["ranked_wide"] == "requires that deterministic is not asked for"
        with pytest.raises(ValueError, match="deterministic is not asked for or d % 3 == 0"):
            boundary.jax.ranked_or_refused(jnp.ones((2, 4)))
    with pytest.raises(ValueError, match="`fast` is nothing that kernels guarantee"):
        kernels("fast").__enter__()
    assert in_torch.kernels("invariant") == {"cpu": ("ranked_gridded",)}
    assert in_torch.kernels("deterministic")["else"] == ("reference",)


def test_torch_passes_over_what_is_not_deterministic(boundary: ModuleType) -> None:
    import torch
    from boundary.torch import ranked, ranked_or_refused

    compiled = torch.compile(ranked_or_refused, fullgraph=True, backend="aot_eager")
    both = (ranked_or_refused, compiled)
    torch.use_deterministic_algorithms(True)
    try:
        assert ranked(torch.ones(3, 64))[1].tolist() == [3] * 3
        assert ranked(torch.ones(9, 64))[1].tolist() == [-1] * 9
        assert ranked.which(torch.ones(3, 64)).kernel == "ranked_gridded"
        assert ranked_or_refused.which(torch.ones(2, 4)).kernel is None
        for call in both:
            assert call(torch.ones(2, 6))[1].tolist() == [3, 3]
            with pytest.raises(RuntimeError) as caught:
                call(torch.ones(2, 4))
            assert "does not have a deterministic implementation" in str(caught.value)
            assert "(`third` requires d % 3 == 0, got d = 4)" in str(caught.value)
        with boundary.kernels("exact"), pytest.raises(ValueError, match="ask for: exact; `third`"):
            ranked_or_refused(torch.ones(2, 4))
        torch.use_deterministic_algorithms(True, warn_only=True)
        assert ranked_or_refused.which(torch.ones(2, 4)).kernel == "even"
        with pytest.warns(UserWarning, match="does not have a deterministic implementation"):
            assert ranked_or_refused(torch.ones(2, 4))[1].tolist() == [2, 2]
        assert compiled(torch.ones(2, 4))[1].tolist() == [2, 2]  # PyTorch logs the warning
    finally:
        torch.use_deterministic_algorithms(False)
    assert ranked_or_refused(torch.ones(2, 6))[1].tolist() == [2, 2]


@pytest.mark.parametrize(
    "forced, said",
    [
        ({"ranked": "none"}, "ranked has no kernel `none`, it has ranked_wide, ranked_half"),
        (
            {"nothing": "ranked"},
            "nothing has no list of kernels: those with one are paced_by_width, ranked,",
        ),
        ({"ranked_alone": "reference"}, "its reference runs only where the spec has"),
    ],
)
def test_an_unknown_name_is_an_error(
    boundary: ModuleType, forced: dict[str, str], said: str
) -> None:
    with pytest.raises(ValueError, match=said), boundary.kernels(**forced):
        pass


# For values of OPGEN_KERNELS: the output of a process that runs `ranked`, or part of its error.
FORCED = {
    "ranked=ranked_gridded; other.op=x; boundary.ranked_alone=ranked_alone": "[3, 3]",
    "ranked=reference": "[-1, -1]",
    "deterministic": "[3, 3]",
    "ranked=none": "OPGEN_KERNELS: ranked has no kernel `none`",
    "ranked": "OPGEN_KERNELS: `ranked`: expected `op=kernel`",
    "ranked=ranked_gridded;ranked=reference": "ranked is to run `ranked_gridded` too",
    "ranked=acme.fast": "the kernel that OPGEN_KERNELS names was never added",
}


@pytest.fixture(scope="module")
def forced(boundary: ModuleType, project: Path) -> dict[str, str]:
    """The output of a process for each value of OPGEN_KERNELS in `FORCED`.

    The processes are forks of one that has imported PyTorch.
    """
    program = f"""
import os, sys, torch
for text in {[*FORCED]}:
    print("text:", text, flush=True)
    if not os.fork():
        os.environ["OPGEN_KERNELS"] = text
        import boundary.torch as b
        print(b.ranked(torch.ones(2, 64))[1].tolist())
        sys.exit()
    os.wait()
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return dict(each.split("\n", 1) for each in done.stdout.split("text: ")[1:])


@pytest.mark.parametrize("text", FORCED)
def test_the_environment_forces_one(forced: dict[str, str], text: str) -> None:
    assert FORCED[text] in forced[text]


def test_another_library_adds_one(boundary: ModuleType, project: Path, tmp_path: Path) -> None:
    library = tmp_path / "liboutsider.so"
    command = [os.environ.get("CXX") or "c++", "-std=c++17", "-O1", "-shared", "-fPIC"]
    command += ["-I", str(project / "boundary" / "cpp"), "-I", str(RUNTIME)]
    source = Path(__file__).parent / "outsider.cpp"
    subprocess.run([*command, str(source), "-o", str(library)], check=True)
    program = f"""
import torch, jax.numpy as jnp, boundary
from boundary import jax, torch as ours
add = lambda name, symbol: boundary.add_kernel("ranked", name, {str(library)!r}, symbol)
for name, symbol in (("a.stale", "outsider_stale"), ("fives", "outsider_fives"), ("a.b", "none")):
    try:
        add(name, symbol)
    except ValueError as error:
        print(error)
before = ours.ranked(torch.ones(2, 65))[1].tolist(), jax.ranked(jnp.ones((2, 65)))[1].tolist()
add("outsider.fives", "outsider_fives")
print(before, ours.ranked.kernels()["cpu"][0])
print(ours.ranked(torch.ones(2, 65))[1].tolist(), jax.ranked(jnp.ones((2, 65)))[1].tolist())
with torch.profiler.profile() as profiler:
    ours.ranked(torch.ones(2, 65))
print({{event.name for event in profiler.events() if event.name.startswith("ranked: ")}})
print(ours.ranked(torch.ones(2, 64))[1].tolist(), jax.ranked(jnp.ones((2, 64)))[1].tolist())
with boundary.kernels("deterministic"):
    print(ours.ranked(torch.ones(2, 65))[1].tolist(), jax.ranked(jnp.ones((2, 65)))[1].tolist())
    add("outsider.kept", "outsider_kept")
    print(ours.ranked.kernels("deterministic")["cpu"])
    print(ours.ranked(torch.ones(2, 65))[1].tolist(), jax.ranked(jnp.ones((2, 65)))[1].tolist())
with boundary.kernels(ranked="outsider.fives"):
    print(ours.ranked(torch.ones(2, 5))[1].tolist(), jax.ranked(jnp.ones((2, 5)))[1].tolist())
    try:
        ours.ranked(torch.ones(2, 64))
    except ValueError as error:
        print(error)
"""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    *refused, before, added, profiled, others, passed, kept, asked, forced, unwilling = (
        done.stdout.splitlines()
    )
    assert "was compiled for another layout of this op" in refused[0]
    assert "begins with a package" in refused[1] and "exports no `none`" in refused[2]
    assert before == "([0, 0], [0, 0]) outsider.fives"
    assert profiled == "{'ranked: outsider.fives'}"
    assert (added, others, forced) == ("[5, 5] [5, 5]", "[0, 0] [0, 0]", "[5, 5] [5, 5]")
    assert (passed, asked) == ("[3, 3] [3, 3]", "[5, 5] [5, 5]")
    assert kept == "('outsider.kept', 'ranked_gridded')"
    assert unwilling == "ranked: the kernel that is forced does not take this call"
