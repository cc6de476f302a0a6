"""Shadowed calls: wrong kernels are found in both frameworks, and right ones are never reported."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Run = Callable[..., Any]
ALL = "for fault in range(1, 8):\n    planted(x, fault=fault)\n    flush()\n    _shadow._SEEN.clear()\n"

TORCH = """
from shadowed._opgen.debug import shadow as _shadow
x = torch.randn(5, 7)
""" + ALL
JAX = """
from shadowed._opgen.debug import shadow as _shadow
x = jax.random.normal(jax.random.key(0), (5, 7))
""" + ALL.replace("8", "7")  # the workspace has no canaries around it
WORDS = (
    "departs at y[4, 6]",
    "is not finite, as its reference is, at y[4, 6]",
    "wrote outside of y",
    "wrote outside of y",
    "is not finite, as its reference is, at y[4, 6]",  # unwritten elements are NaN
    "changed its input x",
    "wrote outside of its workspace",
)


@pytest.mark.parametrize(("framework", "program"), [("torch", TORCH), ("jax", JAX)])
def test_every_fault_is_found(framework: str, program: str, run: Run, replayed: Any) -> None:
    ran = run(framework, program)
    words = WORDS if framework == "torch" else WORDS[:-1]
    assert len(ran.said) == len(ran.files) == len(words), ran.said
    for said, expected, file in zip(ran.said, words, ran.files):
        assert said.startswith(f"planted on cpu {expected}")
        assert f"`opgen replay {file}`" in said
    first = replayed(ran.files[0])
    assert first.returncode == 0, first.stderr
    assert "x: f32 (5, 7)" in first.stdout and "x: f32 (1, 7)" in first.stdout
    assert "planted departs at y[0, 6]: expected " in first.stdout
    whole = replayed(ran.files[0], "--no-shrink")
    assert "(1, 7)" not in whole.stdout and "planted departs at y[4, 6]" in whole.stdout


TORCH_WAYS = """
x = torch.randn(5, 7)
def loss(x, fault=0): return planted(x, fault=fault).sum()
for fault in 0, 1:
    leaf = x.clone().requires_grad_()
    loss(leaf, fault).backward()                                             # eager
    compiled = torch.compile(loss, fullgraph=True)
    compiled(leaf, fault).backward()
    with torch.inference_mode(): planted(x.bfloat16(), fault=fault)
    torch.func.vmap(torch.func.grad(lambda row: loss(row, fault)))(x)
    planted(x.t(), fault=fault, out=torch.empty(7, 5))
    planted(x[:0], fault=0)
    planted_(x.clone(), fault=fault)
    if fault == 0: assert not said, said
"""
JAX_WAYS = """
x = jax.random.normal(jax.random.key(0), (5, 7))
def loss(x, fault=0): return planted(x, fault=fault).sum()
for fault in 0, 1:
    jax.grad(loss)(x, fault)
    jax.jit(jax.grad(loss), static_argnums=1)(x, fault)
    planted(x.astype(jnp.bfloat16), fault=fault)
    jax.vmap(jax.grad(lambda row: loss(row, fault)))(x)
    jax.vmap(lambda column: planted(column, fault=fault), in_axes=1)(x)
    planted(x[:0])
    planted_(x, fault=fault)
    flush()
    if fault == 0: assert not said, said
"""


@pytest.mark.parametrize(("framework", "program"), [("torch", TORCH_WAYS), ("jax", JAX_WAYS)])
def test_calls_are_seen_however_they_are_made(framework: str, program: str, run: Run) -> None:
    ran = run(framework, program)
    assert sorted({line.split(" on cpu ")[0] for line in ran.said}) == [
        "planted",
        "planted_",
        "planted_bwd",
    ]
    # Each call is checked; XLA leaves out a forward whose result nobody reads.
    assert ran.checked["planted"] >= 8 and ran.checked["planted_bwd"] >= 6


SAMPLED = """
import numpy as np
x = torch.ones(2, 3) if "torch" in globals() else np.ones((2, 3), np.float32)
for _ in range(400): planted(x)
"""


def test_shares(run: Run) -> None:
    """The sampled calls are the same in every run, but differ between the processes of a group.

    The sampling rate may be set for one op or for all ops.
    """
    first = run("torch", SAMPLED, OPGEN_SHADOW="planted:0.1,*:1")
    again = run("torch", SAMPLED, OPGEN_SHADOW="planted:0.1,*:1")
    assert first.checked == again.checked and 20 <= first.checked["planted"] <= 65
    assert run("jax", SAMPLED, OPGEN_SHADOW="planted:0.1").checked == first.checked
    other = run("torch", SAMPLED, OPGEN_SHADOW="planted:0.1", RANK="1").checked
    assert 20 <= other["planted"] <= 65
    assert run("torch", SAMPLED, OPGEN_SHADOW="planted_:1").checked == {}


@pytest.mark.parametrize("text", ["planted", "planted:2", "planted:nan", ":1", "planted:-1"])
def test_a_wrong_share_is_refused(text: str, package: Path) -> None:
    from tests.shadow.conftest import environment

    done = subprocess.run(
        [sys.executable, "-c", "import shadowed.torch"],
        env=environment(package, OPGEN_SHADOW=text),
        capture_output=True,
        text=True,
    )
    last = done.stderr.splitlines()[-1]
    assert done.returncode and "expected OP:SHARE" in last and repr(text) in last


MANY = """
from shadowed._opgen.debug import shadow as _shadow
for n in range(6):
    planted(torch.randn(100, 100), fault=1)
    _shadow._SEEN.clear()
"""


def test_files_are_few_and_small(run: Run, tmp_path: Path) -> None:
    ran = run("torch", MANY, OPGEN_SHADOW_FILES="2")
    assert len(ran.files) == 2 and len(ran.said) == 6
    assert "holds 2 files already (OPGEN_SHADOW_FILES)" in ran.said[-1]
    small = str(tmp_path / "small")
    ran = run("torch", MANY, OPGEN_SHADOW_BYTES="100000", OPGEN_SHADOW_DIR=small)
    assert len(ran.files) == 2 and "100,000 are allowed (OPGEN_SHADOW_BYTES)" in ran.said[-1]
    assert not [*Path(small).glob("*.part")]
    assert all(file.stat().st_mode & 0o777 == 0o600 for file in ran.files)


def test_a_fault_that_repeats_is_reported_less_and_less(run: Run) -> None:
    ran = run("torch", "for n in range(9): planted(torch.ones(3, 4), fault=1)")
    assert len(ran.said) == len(ran.files) == 4
    assert ["; 8 such calls so far" in text for text in ran.said] == [False] * 3 + [True]


def test_a_worse_fault_is_reported_after_others_of_its_kind(run: Run) -> None:
    program = """
alike, worse = torch.ones(3, 4), torch.zeros(3, 4)
worse[-1, -1] = 1  # as far off, and the others are smaller
for x in (alike, alike, alike, alike, worse, alike): planted(x, fault=1)
"""
    assert len(run("torch", program).said) == 4


MIXED = """
import json, logging, os
said = []
handler = logging.Handler()
handler.emit = lambda record: said.append(record.getMessage())
logging.getLogger("generated.shadow").addHandler(handler)
import torch, generated.torch as G
from generated._opgen.debug import shadow as _shadow

torch.manual_seed(0)
model = torch.nn.ModuleDict({
    "inner": torch.nn.Linear(32, 64), "outer": torch.nn.Linear(32, 32), "head": torch.nn.Linear(32, 10)
})
weight = torch.nn.Parameter(torch.ones(32))
optimizer = G.AdamW([*model.parameters(), weight])
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**40, growth_interval=3)
skipped = 0
for step in range(40):
    x, labels = torch.randn(16, 32) * (1000 if step % 5 == 4 else 1), torch.randint(10, (16,))
    with torch.autocast("cpu", torch.float16):
        y = G.rms_norm(x, weight).half()
        y = G.tensor_add(y, model["outer"](G.silu_and_mul(model["inner"](y))))
        y = G.layer_norm(G.dropout(G.swiglu(y, y), p=0.1), normalized_shape=(32,)).half()
        loss = G.cross_entropy(model["head"](y), labels)
    optimizer.zero_grad()
    scaler.scale(loss).backward()
    skipped += not all(p.grad.isfinite().all() for p in model.parameters())
    scaler.step(optimizer)
    scaler.update()
a = torch.full((2, 4), 60000.0, dtype=torch.float16)
G.tensor_add(a, a)
G.swiglu(a / 100, a / 100)
tiny = torch.full((1, 1, 1, 2), 9.2e-41, dtype=torch.bfloat16)
G.apply_rotary(tiny, tiny, torch.full((1, 2), 0.5), torch.zeros(1, 2))
G.swiglu(torch.full((1, 2), 1.0), torch.full((1, 2), 7e-41))
print(json.dumps({"said": said, "checked": _shadow.checked(), "skipped": skipped}))
"""


def test_mixed_precision_training_raises_no_alarm(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    variables = {"OPGEN_SHADOW": "*:1", "OPGEN_SHADOW_DIR": str(tmp_path), "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-c", MIXED],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["said"] == []
    assert 3 < found["skipped"] < 40 and sum(found["checked"].values()) > 400


def test_a_folder_that_cannot_be_written_breaks_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (str(tmp_path / "file"), "/proc/none", "/dev/full"):
        ran = run("torch", "planted(torch.randn(3, 4), fault=1)", OPGEN_SHADOW_DIR=place)
        assert len(ran.said) == 1 and "could not be kept" in ran.said[0] and not ran.files


@pytest.fixture
def kept(run: Run) -> Path:
    (file,) = run("torch", "planted(torch.randn(3, 4).t(), fault=1)").files
    return Path(file)


def test_a_damaged_or_foreign_file_is_refused(kept: Path, replayed: Any, tmp_path: Path) -> None:
    data = kept.read_bytes()
    cases = {
        b"": "is no replay file",
        b"\x7fELF" + data: "is no replay file",
        data[:-1]: "was cut short or changed",
        data[:200]: "was cut short or changed",
        data[:150] + b"#" + data[151:]: "was cut short or changed",
    }
    for wrong, words in cases.items():
        file = tmp_path / "wrong.replay"
        file.write_bytes(wrong)
        done = replayed(file)
        assert done.returncode == 2 and words in done.stderr, done
        assert "Traceback" not in done.stderr
    for wrong_file, words in ((tmp_path, "is not a file"), (tmp_path / "none", "No such file")):
        done = replayed(wrong_file)
        assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr


def rewritten(file: Path, **changes: str) -> Path:
    """Write the same replay file with a changed header."""
    from dataclasses import replace

    from opgen.runtime.debug import replay_file

    record = replace(replay_file.read(file), **changes)
    return replay_file.write(file.parent, "other", record, files=99, limit=1 << 30)


def test_a_file_of_another_package_is_refused(kept: Path, replayed: Any) -> None:
    rows = {
        "package": "is of the package elsewhere",
        "layout": "is of another state of shadowed: its layout was elsewhere",
        "op": "is of the op elsewhere, which shadowed does not have",
        "framework": "is of elsewhere, which is neither torch nor jax",
    }
    for key, words in rows.items():
        done = replayed(rewritten(kept, **{key: "elsewhere"}))
        assert done.returncode == 2 and words in done.stderr, done.stderr
        assert "Traceback" not in done.stderr


def test_strides_come_back(kept: Path, replayed: Any) -> None:
    done = replayed(kept, "--no-shrink")
    assert done.returncode == 0 and "x: f32 (4, 3), strides (1, 4)" in done.stdout


def test_what_is_right_is_said_to_be(kept: Path, replayed: Any) -> None:
    from dataclasses import replace

    from opgen.runtime.debug import replay_file

    record = replace(replay_file.read(kept), attrs={"fault": 0})
    done = replayed(replay_file.write(kept.parent, "right", record, files=99, limit=1 << 30))
    assert done.returncode == 1 and "now kernel and reference agree" in done.stdout


def many(framework: str, count: int, folder: Path) -> dict[str, Any]:
    script = Path(__file__).parent / "many_calls.py"
    done = subprocess.run(
        [sys.executable, str(script), framework, str(count)],
        env={**os.environ, "OPGEN_SHADOW_DIR": str(folder)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize(("framework", "count"), [("torch", 4_000), ("jax", 100)])
def test_right_kernels_are_not_blamed(framework: str, count: int, tmp_path: Path) -> None:
    found = many(framework, count, tmp_path)
    assert not found["warned"], found["warned"]
    assert sum(found["checked"].values()) >= count
