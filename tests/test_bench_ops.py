"""`opgen bench`: derived values, selection, output, comparison, charts, and a short run.

A peer is another implementation of an op, with which `opgen bench` compares the op.
"""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from bench import native
from opgen.bench import command, document, measuring, probe, summary, tvm
from opgen.bench.agreement import Found, disagreement
from opgen.bench.comparison import compare, shown
from opgen.bench.errors import BenchError
from opgen.bench.harness import Spread
from opgen.bench.peers import OWN, load_peers
from opgen.bench.probe import Rate
from opgen.bench.roofline import plot
from opgen.bench.rows import Peer, Row, from_json, to_json
from opgen.bench.selection import select
from opgen.bench.sizes import Size, in_dtype, sample_of, scaled, with_sizes
from opgen.bench.work import Work, backward_work, differentiable, forward_work
from opgen.cli.main import main
from opgen.compiler.pipeline import load
from opgen.ir.project import Project
from opgen.spec.config import Config, load_config
from opgen.testing.cases import samples
from opgen.testing.draw import draw
from opgen.testing.op_under_test import OpUnderTest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def project() -> Project:
    return project_of(sorted((ROOT / "specs").glob("*.toml")))


def project_of(specs: list[Path]) -> Project:
    config, _, _ = load_config(ROOT)
    project, found, _ = load(specs, config)
    assert project is not None, found
    return project


def case_of(project: Project, op: str, rows: int, columns: int, dtype: str = "f32"):
    sample = in_dtype(project.op(op), sample_of(project.op(op)), dtype)
    return scaled(project.op(op), sample, Size(rows, columns))


@pytest.mark.parametrize(
    ("op", "sizes"),
    [
        ("relu", {"s": (16, 32)}),
        ("tensor_add", {"m": 16, "n": 32}),
        ("rms_norm", {"batch": (16,), "norm": (32,)}),
        ("silu_and_mul", {"batch": (16,), "d": 16}),
        ("cross_entropy", {"batch": (16,), "c": 32}),
        ("adamw_", {"s": ((5, 32),) * 3}),
    ],
)
def test_a_sample_grows_to_rows_and_columns(project, op: str, sizes: dict) -> None:
    assert dict(case_of(project, op, 16, 32).sizes) == sizes


def test_an_attr_that_is_a_size_grows_too(project) -> None:
    case = case_of(project, "layer_norm", 16, 32)
    assert dict(case.attrs)["normalized_shape"] == (32,)


def test_names_that_do_not_lead_keep_their_size(project) -> None:
    sizes = dict(case_of(project, "rotary", 256, 128).sizes)
    assert (sizes["t"], sizes["hk"], sizes["g"]) == (16, 2, 2)
    assert sizes["lead"] == (4,) and sizes["d"] == 128


def test_what_an_op_does_not_allow_is_no_size(project) -> None:
    op = project.op("rotary")
    assert with_sizes(op, sample_of(op), {"d": 8}) is None  # because 2*r <= d


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_dtypes(project, dtype: str) -> None:
    case = case_of(project, "rms_norm", 8, 16, dtype)
    assert dict(case.dtypes) == {"T": dtype, "W": dtype}


def test_a_dtype_that_an_op_does_not_take(project) -> None:
    op = project.op("cross_entropy")
    assert in_dtype(op, sample_of(op), "f8e4m3") is None
    assert dict(in_dtype(op, sample_of(op), "bf16").dtypes)["I"] == "i64"


def test_bytes_and_operations_of_a_forward(project) -> None:
    case = case_of(project, "rms_norm", 16, 32)
    work = forward_work(project.op("rms_norm"), case)
    x, weight, invvar = 16 * 32 * 4, 32 * 4, 16 * 4
    assert work == Work(x + weight, x + invvar, flops=4 * 16 * 32)
    assert work.intensity == 4 * 16 * 32 / (2 * x + weight + invvar)


def test_bytes_go_with_the_dtype(project) -> None:
    case = case_of(project, "relu", 16, 32, "bf16")
    assert forward_work(project.op("relu"), case) == Work(1024, 1024, flops=512)


def test_bytes_of_lists_that_are_updated(project) -> None:
    case = case_of(project, "adamw_", 30, 32)
    elements = 30 * 32
    work = forward_work(project.op("adamw_"), case)
    # params, grads, both averages, step and lr; all but grads and lr are written
    assert (work.read, work.written) == (4 * 4 * elements + 8, 3 * 4 * elements + 4)
    assert work.flops == 14 * elements


def test_transcendentals(project) -> None:
    case = case_of(project, "cross_entropy", 16, 32)
    assert forward_work(project.op("cross_entropy"), case).transcendentals == 16 * 32


def test_bytes_that_the_spec_says_are_read(project, tmp_path: Path) -> None:
    (tmp_path / "gather.toml").write_text(GATHER)
    op = project_of([tmp_path / "gather.toml"]).op("gather")
    work = forward_work(op, sample_of(op))
    assert (work.read, work.written) == (5 * 8 * 4, 5 * 8 * 4)


GATHER = """\
spec = 1
[dtypes]
T = ["f32"]
[ops.gather]
doc            = "Rows of `table`."
inputs.table   = { dtype = "T", shape = "rows d" }
inputs.indices = { dtype = "i64", shape = "n", values = "0 <= indices < rows" }
outputs.y      = { dtype = "T", shape = "n d" }
grad           = "none"
sharding       = "replicate"
kernels        = ["cpu"]
cost.read      = "n*d*bits(T)//8"
samples        = [{ rows = 100, d = 8, n = 5 }]
"""


def test_bytes_and_operations_of_a_backward(project) -> None:
    case = case_of(project, "rms_norm", 16, 32)
    work = backward_work(project.op("rms_norm"), case, project)
    x, weight, invvar = 16 * 32 * 4, 32 * 4, 16 * 4
    # dy, invvar, x and weight are read; dx and dweight are written
    assert work == Work(2 * x + invvar + weight, x + weight, flops=9 * 16 * 32)


def test_a_formula_is_no_backward_to_measure(project) -> None:
    case = case_of(project, "tensor_add", 16, 32)
    assert backward_work(project.op("tensor_add"), case, project) is None


def test_work_adds_up() -> None:
    assert Work(1, 2, 3.0) + Work(4, 5, 6.0, 7.0) == Work(5, 7, 9.0, None)


def test_only_what_has_a_gradient_is_differentiated(project) -> None:
    case = sample_of(project.op("rotary"))
    assert differentiable(project.op("rotary"), case) == [0, 3]  # q and k


def selected(project: Project, *names: str, said: list[str] | None = None) -> list[str]:
    say = (said if said is not None else []).append
    return select(project, names, "cpu", Path("kernels"), say)


def test_without_names_every_op_that_can_be_measured(project) -> None:
    found = selected(project)
    assert {"rms_norm", "relu", "tensor_add"} <= {*found}
    assert "rms_norm_bwd" not in found
    assert selected(project, "relu", "relu") == ["relu"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rms_nrom", r"there is no op `rms_nrom`.*rms_norm"),
        ("rms_norm_bwd", r"none of its `samples` gives every size; as the backward of `rms_norm`"),
    ],
)
def test_what_cannot_be_measured(project, name: str, message: str) -> None:
    with pytest.raises(BenchError, match=message):
        selected(project, name)


def test_a_kernel_that_is_not_written_yet(tmp_path: Path) -> None:
    (tmp_path / "gather.toml").write_text(GATHER)
    project = project_of([tmp_path / "gather.toml"])
    with pytest.raises(BenchError, match=r"not written yet: .*kernels/gather/"):
        selected(project, "gather")
    bare = replace(project.op("gather"), awaited=())
    family = replace(project.families[0], ops=(bare,))
    with pytest.raises(BenchError, match="it has no kernel for cpu"):
        selected(replace(project, families=(family,)), "gather")


def test_an_op_without_a_sample_is_left_out_and_said(project, tmp_path: Path) -> None:
    relu = project.op("relu")
    bare = replace(relu, samples=())
    family = replace(project.families[0], ops=(bare,))
    said: list[str] = []
    with pytest.raises(BenchError, match="both a kernel for cpu and a sample"):
        selected(replace(project, families=(family,)), said=said)
    assert said == [
        "`relu` is left out: none of its `samples` gives every size; add a sample to its spec, "
        "such as `samples = [{ s = [2, 8] }]`"
    ]


class Recorded:
    """A fake that records each call: its name and the set of inputs."""

    self_timed = False

    def __init__(self, *given: object) -> None:
        self.seen: list[tuple[str, int]] = []

    def forward(self, name: str, sets: list, turns: Iterator[int]) -> Callable:
        return lambda: self.seen.append((name, sets[next(turns)]))

    def timed(self, call: Callable) -> Callable:
        return call


def contest_of(project: Project, rows: int) -> measuring._Contest:
    return measuring._Contest(
        measuring.Job("torch", "cpu", 1, ["relu"], [], ["f32"], rounds=7),
        OpUnderTest(project.op("relu"), project),
        case_of(project, "relu", rows, 1024),
        "f32",
        Size(rows, 1024),
        {"memcpy": Rate("memcpy", "B/s", 1.0, lambda: None)},
        Recorded,
        print,
    )


@pytest.mark.parametrize(("copies", "sets"), [(0, 17), (2**6, 15), (2**8, 3), (2**11, 1)])
def test_inputs_fit_into_memory(project, monkeypatch, copies: int, sets: int) -> None:
    monkeypatch.setattr(measuring, "last_level_cache", lambda: 32 * 2**20)
    contest = contest_of(project, 1024)
    work = forward_work(project.op("relu"), contest.case)
    kept = copies * work.written
    assert measuring.set_count(contest.subject.op, contest.case, work, kept) == sets


@pytest.mark.parametrize(
    ("name", "backward", "copies"),
    [("relu", Work(1, 1), 2), ("adamw_", None, 1), ("quantize_fp8", None, 0)],
)
def test_what_is_kept_is_counted(project, name, backward, copies) -> None:
    assert measuring._copies(project.op(name), backward) == copies


def test_what_backwards_keep_is_measured(project) -> None:
    """The memory that a backward keeps is measured: it may be more than the op itself writes."""
    torch = pytest.importorskip("torch")
    from opgen.bench.torch_calls import COMPILED, TorchCalls

    case = case_of(project, "relu", 8, 1024)
    calls = TorchCalls(OpUnderTest(project.op("relu"), project), case, "cpu")
    inputs = calls.inputs(draw(project.op("relu"), case))
    functions = {OWN: torch.neg, "two": lambda x: x.exp().tanh()}
    assert calls.saved_bytes(functions, inputs) == 2 * 8 * 1024 * 4
    assert calls.saved_bytes({**functions, COMPILED: torch.exp}, inputs) == 4 * 8 * 1024 * 4


def test_inputs_lie_in_memory_of_pytorch(project) -> None:
    """Inputs are stored in PyTorch's memory.

    Some of PyTorch's kernels need an alignment of 64 bytes, and NumPy aligns to 16 bytes.
    """
    pytest.importorskip("torch")
    from opgen.bench.torch_calls import TorchCalls

    room = np.arange(8 * 128 + 16, dtype=np.float32)
    begin = (-room.ctypes.data % 64 + 16) // 4
    array = room[begin : begin + 8 * 128].reshape(8, 128)
    assert array.ctypes.data % 64 == 16
    case = case_of(project, "relu", 8, 128)
    (x,) = TorchCalls(OpUnderTest(project.op("relu"), project), case, "cpu").inputs([array])
    assert x.data_ptr() % 64 == 0 and np.array_equal(x.numpy(), array)


@pytest.mark.parametrize(
    ("framework", "reference"), [("torch", "torch eager"), ("jax", "jitted jnp")]
)
def test_what_follows_a_length_is_not_compared(project, framework: str, reference: str) -> None:
    """Results whose length is only known after the call are not compared.

    PyTorch's wrapper cuts such results to their length. References and JAX do not.
    """
    xp = pytest.importorskip({"torch": "torch", "jax": "jax.numpy"}[framework])
    module = importlib.import_module(f"opgen.bench.{framework}_calls")
    subject, case = OpUnderTest(project.op("nms"), project), case_of(project, "nms", 100, 4)
    calls = getattr(module, measuring.CALLS[framework])(subject, case, "cpu")
    inputs = calls.inputs(draw(subject.op, case))
    functions = calls.functions({})
    own = calls.results(functions[OWN], inputs)
    assert 0 < own[0].shape[0] < 100

    def spoilt(*given):
        keep, count = functions[reference](*given)
        return xp.where(xp.arange(100) < count, keep, 7), count

    assert disagreement(own, calls.results(spoilt, inputs)) is None


@pytest.mark.parametrize("framework", ["torch", "jax"])
def test_a_peer_of_an_op_with_a_seed_draws_numbers_of_its_own(project, framework: str) -> None:
    """A peer of an op with a seed may draw different random numbers.

    Only the shape of its result and the number of zeros are compared. An implementation outside the
    project's table must also have equal values.
    """
    module = importlib.import_module(f"opgen.bench.{framework}_calls")
    subject, case = OpUnderTest(project.op("dropout"), project), case_of(project, "dropout", 8, 128)
    calls = getattr(module, measuring.CALLS[framework])(subject, case, "cpu")
    inputs = calls.inputs(draw(subject.op, case))
    peers = load_peers(ROOT / "bench/native.py", {op.name: op for op in project.ops})
    table = {
        **peers.functions(framework, "dropout"),
        "of another shape": lambda x, *_, p: x[:4],
        "of infinities": lambda x, *_, p: x / 0.0,
        "of all": lambda x, *_, p: x / (1 - p),
    }
    said: list[str] = []
    contest = replace(contest_of(project, 8), subject=subject, case=case, say=said.append)
    functions = calls.functions(table)
    random = contest._random(table, inputs)
    reference = {"torch": "torch eager", "jax": "jitted jnp"}[framework]
    tried = {name: functions[name] for name in (OWN, *table)}
    tried["own numbers"] = functions[next(iter(table))]
    found = dict(contest._agreeing(calls, tried, inputs, random))
    assert list(found) == [OWN, next(iter(table))]
    assert reference in functions and reference not in random
    texts = (
        "[4, 128] where the op gives",
        "NaN or infinities",
        "is 0 in 0% of places",
        "differs from the op by",
    )
    assert len(said) == 4 and all(a in b for a, b in zip(texts, said, strict=True))


def test_without_a_seed_peers_give_the_same_values(project) -> None:
    contest = contest_of(project, 8)
    assert contest._random({"native"}, [object()]) == frozenset()
    subject = OpUnderTest(project.op("dropout"), project)
    assert replace(contest, subject=subject)._random({"a"}, [object(), None, None]) == frozenset()
    assert replace(contest, subject=subject)._random({"a"}, [object(), 1, None]) == {"a"}


def test_a_peer_without_a_gradient_is_left_out_of_the_backward(project) -> None:
    torch = pytest.importorskip("torch")
    from opgen.bench.torch_calls import TorchCalls

    said: list[str] = []
    contest = replace(contest_of(project, 8), say=said.append)
    calls = TorchCalls(contest.subject, contest.case, "cpu")
    inputs = calls.inputs(draw(project.op("relu"), contest.case))
    functions = {
        OWN: torch.relu,
        "native": torch.neg,
        "detached": lambda x: torch.relu(x, out=torch.empty_like(x)),
        tvm.NAME: torch.relu,
    }
    found = dict(contest._with_gradient(calls, functions, inputs))
    assert list(found) == [OWN, "native"]
    (text,) = said
    assert text.startswith("relu f32: detached has no gradient: ")


def test_a_peer_that_takes_too_long_is_left_out(project, monkeypatch) -> None:
    """A compared implementation that exceeds the time limit is left out.

    The limit holds for its forward, and for its backward. Updated inputs are restored for the
    others.
    """
    torch = pytest.importorskip("torch")
    from opgen.bench.torch_calls import TorchCalls

    monkeypatch.setattr(measuring, "LONGEST", 0.05)
    said: list[str] = []
    contest = replace(contest_of(project, 8), say=said.append)
    calls = TorchCalls(contest.subject, contest.case, "cpu")
    inputs = calls.inputs(draw(project.op("relu"), contest.case))

    def slow(x):
        time.sleep(0.2)
        return torch.relu(x)

    def slow_once(x, seen=[]):  # slow in the first call, like a compiled function
        seen or time.sleep(0.2)
        seen.append(x)
        return torch.relu(x)

    def updating(x):
        y = torch.relu(x)
        x.neg_()
        return y

    def slow_gradient(x):
        y = torch.relu(x)
        if y.requires_grad:
            y.register_hook(lambda g: time.sleep(0.2))
        return y

    own = {OWN: torch.relu, "updating": updating, "slow": slow, "slow once": slow_once}
    found = dict(contest._agreeing(calls, own, inputs))
    assert list(found) == [OWN, "updating", "slow once"]
    functions = {OWN: torch.relu, "slow gradient": slow_gradient}
    assert list(dict(contest._with_gradient(calls, functions, inputs))) == [OWN]
    assert said == [
        "relu f32 8x1024: slow is left out: it takes 0 s",
        "relu f32 8x1024: the gradient of slow gradient is left out: it takes 0 s",
    ]


def test_a_peer_that_compiles_too_long_is_left_out(project, monkeypatch) -> None:
    """A compared implementation that compiles too long is left out.

    An example is a reference with an unrolled loop. If the implementation catches the exception
    that ends it, the exception is raised again.
    """
    torch = pytest.importorskip("torch")
    from opgen.bench.torch_calls import TorchCalls

    monkeypatch.setattr(measuring, "READY", 0.2)
    said: list[str] = []
    contest = replace(contest_of(project, 8), say=said.append)
    calls = TorchCalls(contest.subject, contest.case, "cpu")
    inputs = calls.inputs(draw(project.op("relu"), contest.case))

    def compiling(x):
        for _ in range(2):
            with suppress(TimeoutError):
                time.sleep(30)
        time.sleep(30)

    def compiling_a_gradient(x):
        return compiling(x) if x.requires_grad else torch.relu(x)

    functions = {OWN: torch.relu, "compiling": compiling, "gradient": compiling_a_gradient}
    start = time.monotonic()
    found = dict(contest._agreeing(calls, functions, inputs))
    assert list(dict(contest._with_gradient(calls, found, inputs))) == [OWN]
    assert time.monotonic() - start < 30
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert said == [
        "relu f32 8x1024: compiling is left out: it is not ready after 0.2 s",
        "relu f32 8x1024: the gradient of gradient is left out: it is not ready after 0.2 s",
    ]


def test_a_peer_that_took_too_long_is_not_called_at_larger_sizes(project, monkeypatch) -> None:
    """An implementation that exceeded the time limit is not called at larger sizes.

    This also holds if a compiler reports the timeout as its own error. The implementation is still
    called at smaller sizes and in other dtypes.
    """
    torch = pytest.importorskip("torch")
    from opgen.bench.torch_calls import TorchCalls

    monkeypatch.setattr(measuring, "READY", 0.1)
    monkeypatch.setattr(measuring, "LONGEST", 0.05)
    called: list[str] = []

    def slow(x):
        called.append("slow")
        time.sleep(0.08)
        return torch.relu(x)

    def compiling(x):
        called.append("compiling")
        try:
            time.sleep(30)
        except TimeoutError:
            raise RuntimeError("the backend failed") from None

    contest = replace(contest_of(project, 8), say=lambda _: None)
    calls = TorchCalls(contest.subject, contest.case, "cpu")
    inputs = calls.inputs(draw(project.op("relu"), contest.case))
    functions = {OWN: torch.relu, "slow": slow, "compiling": compiling}
    for size, dtype, count in (
        (Size(8, 1024), "f32", 2),
        (Size(16, 1024), "f32", 0),
        (Size(8, 1024), "f32", 0),
        (Size(4, 1024), "f32", 2),
        (Size(8, 1024), "bf16", 2),
    ):
        called.clear()
        at = replace(contest, size=size, dtype=dtype)
        assert list(dict(at._agreeing(calls, functions, inputs))) == [OWN]
        assert len(set(called)) == count, (size, dtype)


def test_processors_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Processors with the same name are distinguished by their instruction sets.

    For example, cloud machines of several generations have the name `AMD EPYC`.
    """
    for flags, name in (
        ("fma avx2", "AMD EPYC, AVX2"),
        ("avx2 avx512f", "AMD EPYC, AVX-512"),
        ("avx2 avx512f avx512_bf16", "AMD EPYC, AVX-512 BF16"),
        ("avx2 avx512f avx512_bf16 amx_bf16", "AMD EPYC, AMX"),
        ("sse2", "AMD EPYC"),
    ):
        one = f"processor\t: 0\nmodel name\t: AMD EPYC\nflags\t\t: fpu {flags}\n\n"
        file = tmp_path / "cpuinfo"
        file.write_text(one + one.replace("processor\t: 0", "processor\t: 1"))
        assert probe.cpu(file) == name
    file.write_text("processor\t: 0\nFeatures\t: fp asimd\n")  # in the format of aarch64
    assert probe.cpu(file) == probe.cpu(tmp_path / "none") == "unknown processor"


def test_a_process_has_the_cpus_and_the_memory_that_there_are(monkeypatch, tmp_path: Path) -> None:
    """A measuring process gets all CPUs, and its memory is limited.

    An implementation that asks for more memory then fails with an error, and the system does not
    kill the process.
    """
    python = tmp_path / "python"
    python.write_text(
        f"#!{sys.executable}\nimport json, os, resource\n"
        "print(json.dumps([len(os.sched_getaffinity(0)), *resource.getrlimit(resource.RLIMIT_DATA)]))\n"
    )
    python.chmod(0o755)
    monkeypatch.setattr(command.sys, "executable", str(python))
    config, _, _ = load_config(ROOT)
    job = {"framework": "torch", "device": "cpu", "threads": 1}
    ((cpus, soft, hard),) = command.process(job, config)
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    assert cpus == 1 and 0 < soft == hard <= total


@pytest.mark.parametrize(("rows", "sets"), [(8, 1), (1024, 17)])
def test_nobody_finds_in_a_cache_what_another_has_read(
    project, monkeypatch, rows: int, sets: int
) -> None:
    monkeypatch.setattr(measuring, "last_level_cache", lambda: 32 * 2**20)
    contest, calls = contest_of(project, rows), Recorded()
    work = forward_work(project.op("relu"), contest.case)
    assert measuring.set_count(contest.subject.op, contest.case, work, 0) == sets
    functions = {OWN: OWN, "peer": "peer"}
    row = contest._row(calls, functions, calls.forward, "forward", work, list(range(sets)))
    assert [place for _, place in calls.seen] == [n % sets for n in range(len(calls.seen))]
    assert {name for name, _ in calls.seen} == {OWN, "peer"}
    assert set(row.peers) == {"peer"}


def spread(median: float, width: float = 0.02) -> Spread:
    low, high = median * (1 - width), median * (1 + width)
    return Spread(median, low, high, low, high)


def row(
    seconds: float = 2e-3,
    peer: float = 4e-3,
    size: str = "1024x1024",
    relative: float = 0.5,
    work: Work = Work(2**22, 2**22, 2e6),
) -> Row:
    rates = (
        {}
        if work.bytes < 2**20
        else {
            "memcpy": spread(8e9),
            "stream": spread(9e9),
            "read": spread(1e10),
            "fma": spread(1e11),
            "exp": spread(1e9),
        }
    )
    peers = {
        "native": Peer(spread(peer), spread(seconds / peer)),
        "slow": Peer(spread(1.0), spread(seconds)),
    }
    return Row(
        "scale",
        "forward",
        "torch",
        "cpu",
        "f32",
        size,
        2,
        work,
        spread(seconds),
        spread(relative),
        rates,
        peers,
    )


SMALL = Work(4096, 4096, 1e3)


def test_shares_of_the_machine() -> None:
    assert row().fractions == pytest.approx(
        {
            "memcpy": 2**23 / 2e-3 / 8e9,
            "stream": 2**23 / 2e-3 / 9e9,
            "read": 2**23 / 2e-3 / 1e10,
            "fma": 0.01,
        }
    )
    assert row(work=SMALL).fractions == {}


@pytest.mark.parametrize(
    ("measured", "behind"),
    [
        (row(1.04e-3, 1e-3), False),
        (row(1.06e-3, 1e-3), True),
        (row(2.5e-6, 2e-6, work=SMALL), False),
        (row(2.7e-6, 2e-6, work=SMALL), True),
    ],
)
def test_behind_the_fastest_peer(measured: Row, behind: bool) -> None:
    assert measured.fastest[0] == "native"
    assert measured.behind is behind
    assert ("scale forward" in summary.closing([measured])) is behind


def test_the_table(capsys) -> None:
    table = summary.Table(print)
    table.add(row())
    table.add(row(size="8x128", work=SMALL))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "scale: torch on cpu, 2 threads"
    assert len(lines) == 4
    assert lines[2].split()[:6] == ["forward", "f32", "1024x1024", "2.00", "ms", "2%"]
    assert "native 0.50 (0.49 to 0.51)" in lines[2]
    assert "0.52" in lines[2].split()  # of the speed of memcpy


def test_json_there_and_back() -> None:
    rows = [row(), row(size="8x128", work=SMALL)]
    here = document.machine()
    whole = json.loads(document.text(rows, here))
    assert whole["rates"]["cpu"]["memcpy"] == 8e9
    assert whole["rows"][0]["fractions"]["fma"] == pytest.approx(0.01)
    assert [from_json(data) for data in whole["rows"]] == rows
    assert from_json(json.loads(json.dumps(to_json(rows[0])))) == rows[0]


def test_an_earlier_run_is_read(tmp_path: Path) -> None:
    file = tmp_path / "old.json"
    here = document.machine()
    file.write_text(document.text([row()], here))
    assert document.read(file, here) == [row()]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "No such file"),
        ("{", "was not written by `opgen bench --json`"),
        ("[]", "was not written by"),
        ('{"machine": {"processor": "x"}, "rows": [{"op": 1}]}', "was not written by"),
        ('{"machine": {"processor": "abacus"}, "rows": []}', "on another processor: abacus"),
    ],
)
def test_a_file_that_is_no_earlier_run(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "old.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(BenchError, match=message):
        document.read(file, document.machine())


@pytest.mark.parametrize(
    ("before", "now", "width", "slower", "faster"),
    [
        (0.50, 0.60, 0.02, True, False),
        (0.50, 0.60, 0.20, False, False),  # within the spread
        (0.50, 0.52, 0.01, False, False),  # distinguishable, but too little to report
        (0.60, 0.50, 0.02, False, True),
    ],
)
def test_slower_and_faster(before, now, width, slower, faster) -> None:
    old = replace(row(), relative=spread(before, width))
    new = replace(row(), relative=spread(now, width))
    (change,) = compare([old], [new])
    assert (change.slower, change.faster) == (slower, faster)
    text = shown([change], Path("old.json"))
    assert ("slower (" in text, "faster (" in text) == (slower, faster)


def test_a_slow_machine_is_no_slow_op() -> None:
    (change,) = compare([row(seconds=1e-3)], [row(seconds=9e-3)])
    assert not change.slower


def test_runs_without_a_call_in_common() -> None:
    with pytest.raises(BenchError, match="in common"):
        compare([row()], [row(size="8x8")])


def found(values, dtype="torch.float32", shape=None) -> list[Found]:
    array = np.asarray(values, np.float64)
    return [Found(shape or array.shape, dtype, array)]


@pytest.mark.parametrize(
    ("peer", "message"),
    [
        (found([1.0, 2.0]), None),
        (found([1.001, 2.0]), None),
        (found([1.1, 2.0]), "differs from the op by 0.1"),
        (found([1.0, np.nan]), "NaN or infinities elsewhere"),
        (found([1.0, 2.0, 3.0]), "where the op gives torch.float32"),
        (found([1.0, 2.0], "torch.bfloat16"), "gives torch.bfloat16"),
        ([], "gives 0 results where the op gives 1"),
    ],
)
def test_a_peer_that_computes_something_else(peer, message) -> None:
    problem = disagreement(found([1.0, 2.0]), peer)
    assert problem is None if message is None else message in problem


def test_a_table_of_peers(tmp_path: Path) -> None:
    file = tmp_path / "native.py"
    file.write_text("def torch_peers():\n    return {'f': {'abs': abs}}\n")
    peers = load_peers(file, {"f": None})
    assert peers.functions("torch", "f") == {"abs": abs}
    assert peers.functions("jax", "f") == {} == peers.sizes("f")
    assert peers.inputs("f")(1, 2) == (1, 2)
    assert load_peers(None, {}).functions("torch", "f") == {}


@pytest.mark.parametrize(
    ("ops", "peers"),
    [
        (None, set()),
        ("raise RuntimeError('operator torchvision::nms does not exist')", set()),
        ("def nms(boxes, scores, iou): return scores.topk(2).indices", {"nms"}),
    ],
    ids=["not installed", "built for another PyTorch", "installed"],
)
def test_torchvision_is_a_peer_where_it_works(tmp_path, monkeypatch, ops, peers) -> None:
    torch = pytest.importorskip("torch")
    for name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
        monkeypatch.delitem(sys.modules, name)
    package = tmp_path / "torchvision"
    if ops is None:
        monkeypatch.setattr(native, "find_spec", lambda name: None)
    else:
        package.mkdir()
        (package / "__init__.py").touch()
        (package / "ops.py").write_text(ops)
        monkeypatch.syspath_prepend(tmp_path)
    found = native.torchvision_peers()
    assert {*found} == peers
    for nms in (peer for each in found.values() for peer in each.values()):
        keep, count = nms(torch.ones(3, 4), torch.tensor([1.0, 3.0, 2.0]), iou=0.5)
        assert keep.tolist() == [1, 2] and count == 2
    for name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
        del sys.modules[name]


CALLS = """
def sizes():
    return {
        "relu": {"": lambda m, n: {"s": (m, n)}, "flat": lambda m, n: {"s": (m * n,)}},
        "tensor_negate": lambda m, n: {"s": (n, m)},
    }

def inputs():
    return {"relu": lambda x: (x + 100,)}
"""


def test_an_op_is_called_in_several_ways_and_on_inputs_of_its_own(project, tmp_path) -> None:
    """An op is measured with each kind of call, on inputs that its project derives from random
    ones.
    """
    file = tmp_path / "calls.py"
    file.write_text(CALLS)
    peers = load_peers(file, {op.name: op for op in project.ops})
    job = measuring.Job("torch", "cpu", 1, [], [Size(2, 3), Size(4, 5)], ["f32"])

    def found(op: str) -> dict[str, object]:
        subject = OpUnderTest(project.op(op), project)
        calls = measuring.cases(subject, job, peers, lambda _: None)
        return {str(size): dict(case.sizes)["s"] for _, size, case in calls}

    both = {"2x3": (2, 3), "2x3 flat": (6,), "4x5": (4, 5), "4x5 flat": (20,)}
    assert found("relu") == both
    assert found("tensor_negate") == {"2x3": (3, 2), "4x5": (5, 4)}
    case = case_of(project, "relu", 8, 16)
    first, second = itertools.islice(
        measuring.drawn(project.op("relu"), case, peers.inputs("relu")), 2
    )
    assert first[0].min() > 50 and second[0].min() > 50 and (first[0] != second[0]).any()


def inputs_of(project: Project, op: str, dtype: str, rows: int, columns: int, call: str = ""):
    """Return the case and the inputs by which `opgen bench` measures an op of this repository."""
    peers = load_peers(ROOT / "bench/native.py", {each.name: each for each in project.ops})
    subject = OpUnderTest(project.op(op), project)
    job = measuring.Job("torch", "cpu", 1, [op], [Size(rows, columns)], [dtype])
    found = measuring.cases(subject, job, peers, lambda _: None)
    case = next(case for _, size, case in found if size.call == call)
    return case, next(measuring.drawn(subject.op, case, peers.inputs(op)))


def test_inputs_of_this_repository_are_what_users_have(project) -> None:
    """Inputs of this repository's benchmarks are like real ones.

    On other inputs, some compared implementations would compute something else.
    """
    _, (boxes, _) = inputs_of(project, "nms", "f32", 64, 4)
    assert (boxes[:, :2] <= boxes[:, 2:]).all()
    case, (logits,) = inputs_of(project, "topk_softmax", "bf16", 16, 512)
    ordered = np.sort(logits.astype(np.float32), axis=-1)
    k = dict(case.attrs)["k"]
    assert (np.diff(ordered, axis=-1)[:, -k:] > 0).all() and logits.dtype.name == "bfloat16"
    case, (q, _, _, cu_q, cu_k, *_) = inputs_of(
        project, "varlen_attention", "f32", 1024, 128, f"in {native.SEQUENCES} sequences"
    )
    lengths = np.diff(cu_q)
    assert cu_q[-1] == len(q) and (cu_k == cu_q).all()
    assert len({*lengths}) == native.SEQUENCES and max(lengths) == dict(case.attrs)["max_q"]
    case, (q, _, _, cu_q, *_) = inputs_of(project, "varlen_attention", "f32", 1024, 128)
    assert [*cu_q] == [0, 1024] and dict(case.attrs)["max_q"] == 1024


def test_inputs_of_this_repository_at_sizes_of_others(project) -> None:
    """The benchmarks of this repository make inputs for sizes that they do not list themselves.

    `opgen tune` asks for such sizes: fewer queries than keys, a paged cache, or few experts.
    """
    peers = load_peers(ROOT / "bench/native.py", {each.name: each for each in project.ops})
    for op in project.ops:
        real = peers.inputs(op.name)
        for case in samples(op):
            given = draw(op, case)
            for before, after in zip(given, real(*given), strict=True):
                assert (before is None) == (after is None)
                if isinstance(before, np.ndarray):
                    assert (before.shape, before.dtype) == (after.shape, after.dtype)
    k, two = np.zeros((5, 1)), np.array([0, 3, 9], np.int32)
    *_, cu_q, cu_k, _ = peers.inputs("varlen_attention")(np.zeros((9, 1)), k, k, two, two, None)
    assert (cu_q[-1], cu_k[-1]) == (9, 5)
    *_, cu_k, _ = peers.inputs("varlen_attention")(k, k, k, two, two, np.zeros((2, 1)))
    assert cu_k is two
    (logits,) = peers.inputs("topk_softmax")(np.zeros((2, 5), np.float32))
    assert len({*logits[0]}) == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no .*native.py"),
        ("def sizes(): return {'g': None}", r"sizes\(\): there is no op `g`"),
        ("def sizes(): return []", r"sizes\(\) gives list, not a dict"),
        ("def inputs(): return {'g': None}", r"inputs\(\): there is no op `g`"),
    ],
)
def test_a_table_of_peers_that_is_wrong(tmp_path: Path, text, message) -> None:
    file = tmp_path / "native.py"
    if text is not None:
        file.write_text(text)
    with pytest.raises(BenchError, match=message):
        load_peers(file, {"f": None})


def test_the_plot_is_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "roofline.svg"
    both = [row(), replace(row(), direction="backward", op="norm")]
    assert plot(both, file, "a processor")
    marks = [m.get("class") for m in ElementTree.parse(file).iter() if "mark" in m.get("class", "")]
    assert marks == ["mark", "mark hollow"]
    file.unlink()
    assert not plot([row(work=SMALL)], file, "a processor") and not file.exists()


def test_a_plot_without_a_rate_of_operations_has_a_slope(tmp_path: Path) -> None:
    file = tmp_path / "roofline.svg"
    one = row()
    memory = {name: rate for name, rate in one.rates.items() if name == "memcpy"}
    assert plot([replace(one, rates=memory)], file, "a GPU")
    text = file.read_text()
    assert "FMA" not in text and 'class="roof"' in text


def bench(
    *arguments: str, cwd: Path = ROOT, path: Path | None = None
) -> subprocess.CompletedProcess:
    """Run `opgen bench`. `path` is a folder of modules that take precedence over all others."""
    command = [sys.executable, "-m", "opgen", "bench", *arguments]
    environment = os.environ | ({} if path is None else {"PYTHONPATH": str(path)})
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rms_nrom"], "opgen: there is no op `rms_nrom`"),
        (["relu", "--threads", "4096"], "this process may use"),
        (["relu", "--compare", "nonesuch.json"], "nonesuch.json: No such file"),
        (["relu", "--sizes", "8by8"], "expected sizes such as 8x128, not 8by8"),
        (["relu", "--devices", "tpu"], "expected cpu, cuda or hip, not tpu"),
        (["relu", "--devices", "hip"], "`relu` cannot be measured: it has no kernel for hip"),
    ],
)
def test_mistakes_take_one_line(arguments: list[str], message: str) -> None:
    done = bench(*arguments)
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "rocm, device, says",
    [
        (None, "hip", "PyTorch here is not one for ROCm, and finds no hip device"),
        ("6.4", "cuda", "PyTorch here is not one for CUDA, and finds no cuda device"),
        ("6.4", "hip", "PyTorch finds no hip device"),
        (None, "cuda", "PyTorch finds no cuda device"),
    ],
)
def test_gpus_that_pytorch_does_not_find(
    monkeypatch: pytest.MonkeyPatch, rocm: str | None, device: str, says: str
) -> None:
    torch = pytest.importorskip("torch")
    from opgen.bench.torch_calls import TorchCalls

    monkeypatch.setattr(torch.version, "hip", rocm)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(LookupError, match=f"^{says}$"):
        TorchCalls.prepare(1, device)


def test_gpus_that_jax_does_not_find() -> None:
    pytest.importorskip("jax")
    from opgen.bench.jax_calls import JaxCalls

    with pytest.raises(LookupError, match="^JAX finds no hip device$"):
        JaxCalls.prepare(1, "hip")


def test_what_is_not_built_is_said(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/gather.toml").write_text(GATHER)
    (tmp_path / "pyproject.toml").write_text("[tool.opgen]\n")
    done = bench(cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        "opgen: generated/ is not built: run `opgen build` first\n",
    )


def test_the_table_of_peers_stands_in_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.opgen.bench]\npeers = "a.py"\n')
    config, problems, _ = load_config(tmp_path)
    assert (config.peers_file, problems) == (tmp_path / "a.py", [])
    assert Config(tmp_path).peers_file is None
    (tmp_path / "pyproject.toml").write_text('[tool.opgen.bench]\nrivals = "a.py"\n')
    assert "a table with `peers`" in load_config(tmp_path)[1][0].message


@pytest.mark.parametrize("op", ["rms_norm", "embedding", "cross_entropy", "rotary_", "tensor_add"])
def test_a_kernel_called_through_tvm_ffi_gives_what_the_op_gives(project, op: str) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("tvm_ffi")
    pytest.importorskip("generated.lib")
    from opgen.bench.torch_calls import TorchCalls
    from opgen.bench.tvm import kernel_call

    subject = OpUnderTest(project.op(op), project)
    case = in_dtype(subject.op, sample_of(subject.op), "bf16")
    calls = TorchCalls(subject, case, "cpu")
    inputs = calls.inputs(draw(subject.op, case))
    functions = calls.functions({})
    bound = functions["tvm-ffi"]
    ours, theirs = (calls.results(f, inputs) for f in (functions["opgen"], bound))
    assert disagreement(ours, theirs) is None
    inputs[0] = inputs[0].flip(-1)
    assert disagreement(ours, calls.results(bound, inputs)) is not None
    assert kernel_call(OpUnderTest(project.op("adamw_"), project), None) is None  # takes lists


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs /proc")
def test_the_kernel_of_the_peer_is_the_one_that_the_op_calls(project) -> None:
    """The kernel call that `opgen bench` measures next to an op needs no further library."""
    pytest.importorskip("torch")
    pytest.importorskip("generated.lib")
    from opgen.testing.hostile.entry import address

    def loaded() -> set[str]:
        maps = Path("/proc/self/maps").read_text().split()
        return {word for word in maps if "libgenerated_kernels" in word}

    subject = OpUnderTest(project.op("relu"), project)
    subject.wrapper("torch")
    before = loaded()
    assert address(subject) and before and loaded() == before


def test_what_a_benchmark_needs_is_said(monkeypatch, capsys) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "ml_dtypes" else real(name)
    )
    assert main(["bench", "relu"]) == 2
    assert "a benchmark needs ml_dtypes: `pip install ml_dtypes`" in capsys.readouterr().err


@pytest.mark.parametrize("framework", ["jax", "torch"])
def test_a_reference_that_returns_residuals_is_a_peer(project, framework: str) -> None:
    """A reference that also returns residuals can be compared; its residuals are ignored."""
    calls_of = importlib.import_module(f"opgen.bench.{framework}_calls")
    calls_of = getattr(calls_of, measuring.CALLS[framework])
    subject = OpUnderTest(project.op("rms_norm"), project)
    plain = subject.reference
    subject.__dict__["reference"] = lambda xp, x, *inputs, **attrs: (
        plain(xp, x, *inputs, **attrs),
        x + 1,
    )
    case = sample_of(subject.op)
    calls = calls_of(subject, case, "cpu")
    inputs = calls.inputs(draw(subject.op, case))
    functions = calls.functions({})
    peer = functions["jitted jnp" if framework == "jax" else "torch eager"]
    ours, theirs = (calls.results(f, inputs) for f in (functions[OWN], peer))
    assert disagreement(ours, theirs) is None


def test_a_tiny_run(tmp_path: Path) -> None:
    """A short run works without pytest, which a normal installation of opgen does not contain."""
    file = tmp_path / "run.json"
    (tmp_path / "pytest.py").write_text("raise ModuleNotFoundError('no pytest here')")
    done = bench(
        "relu",
        "--frameworks",
        "jax",
        "--sizes",
        "2x8",
        "--dtypes",
        "f32",
        "--threads",
        "1",
        "--json",
        str(file),
        path=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("relu: jax on cpu, 1 thread\n")
    rows = document.read(file, document.machine())
    assert [(r.direction, r.size, r.threads) for r in rows] == [
        ("forward", "2x8", 1),
        ("forward+backward", "2x8", 1),
    ]
    assert all(r.seconds.median > 0 and "jitted jnp" in r.peers for r in rows)
