"""`opgen explain OP --mesh`: the bytes that splitting an op moves, and warnings during tracing."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from opgen.cli.main import main

ROOT = Path(__file__).parents[1]

pytest.importorskip("jax")


@pytest.fixture
def said(monkeypatch, capsys):
    """Return a function that runs `opgen explain` and returns its output; stderr must be empty."""
    monkeypatch.chdir(ROOT)

    def run(*words: str) -> str:
        assert main(["explain", *words]) == 0
        out, err = capsys.readouterr()
        assert not err
        return out

    return run


def rows(text: str) -> dict[str, list[str]]:
    """Return the first row of the table for each array, without the shape."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines()[3:]:
        name, *cells = line.split()
        found.setdefault(name, [cell for cell in cells if "[" not in cell])
    return found


def test_what_is_split_costs_nothing(said) -> None:
    text = said("rotary", "--mesh", "d=4,t=2", "--split", "q=d,-,t", "--split", "k=d,-,t")
    assert text.startswith("rotary over a mesh of d = 4, t = 2: 0 bytes reach each device\n")
    assert rows(text)["q"][:3] == ["d,-,t,-,-", "d,-,t,-,-", "0"]


def test_what_has_to_be_whole_is_said_with_its_reason(said) -> None:
    text = said(
        "fused_add_rms_norm", "--mesh", "d=8", "--split", "x=-,d", "--sizes", "batch=1,d=192"
    )
    # There are 192 bf16 elements, of which each of 8 devices has an eighth.
    assert rows(text)["x"][:3] == ["-,d", "-,-", str(192 * 2 * 7 // 8)]
    reason = "d: `d` is not among the dims that `sharding.split` names"
    assert [line.split()[0] for line in text.splitlines() if reason in line] == ["x"]


def test_stages_are_said(said) -> None:
    text = said("rms_norm", "--mesh", "d=8", "--split", "x=-,d", "--sizes", "batch=16,norm=64x3")
    # An all-reduce of one number for each row moves 7/8 of its bytes twice.
    assert text.startswith(f"rms_norm over a mesh of d = 8: {2 * 16 * 4 * 7 // 8} bytes")
    assert rows(text)["x"][:3] == ["-,d,-", "-,d,-", "0"]
    assert "mean over d, made by rms_norm_squares" in text


def test_what_is_reduced_is_said(said) -> None:
    text = said("cross_entropy", "--mesh", "d=8", "--split", "logits=d", "--split", "labels=d")
    assert "mean over d" in text and "sum over d" in text
    assert "16 bytes reach each device" in text


def test_lists(said) -> None:
    text = said("adamw_", "--mesh", "d=8", "--split", "params=d", "--split", "grads=d")
    assert rows(text)["params[0]"][2] == "0" and rows(text)["exp_avgs[2]"][2] == "0"


BEAMS = """
spec = 1

[ops.beams]
doc            = "Twice `x`, which has a row for each of `beam` beams of each sentence."
inputs.x       = { dtype = "f32", shape = "bsz*beam v" }
attrs.bsz      = { type = "int", min = 1 }
attrs.beam     = { type = "int", min = 1 }
outputs.y      = { dtype = "f32", shape = "bsz*beam v" }
grad           = "none"
sharding.split = ["bsz"]
kernels        = ["cpu"]
"""


@pytest.mark.parametrize("bsz, moved", [(16, 0), (4, 64 * 8 * 4 * 7 // 8)])
def test_a_product_of_attrs_is_split_if_its_first_factor_divides(
    tmp_path: Path, monkeypatch, capsys, bsz: int, moved: int
) -> None:
    name = f"beams_{bsz}"  # a package is imported once
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "beams.toml").write_text(BEAMS)
    config = (
        f'[tool.opgen]\nspecs = "specs"\npackage = "{name}"\nout = "{name}"\nnamespace = "{name}"\n'
    )
    (tmp_path / "pyproject.toml").write_text(config)
    monkeypatch.chdir(tmp_path)
    assert main(["render"]) == 0
    sizes = f"bsz={bsz},beam={64 // bsz},v=8"
    assert main(["explain", "beams", "--mesh", "d=8", "--split", "x=d,-", "--sizes", sizes]) == 0
    assert f"d = 8: {moved} bytes reach each device" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words, message",
    [
        (["--mesh", "d=8", "--split", "y=d"], "`rms_norm` has no input `y`"),
        (["--mesh", "d=8", "--split", "x=q"], "the mesh has no axis `q`"),
        (["--mesh", "d=8", "--split", "x=d,d"], "`x` is split over `d` twice"),
        (["--mesh", "d=8", "--split", "x=d,-,-,-,-"], "`x` has 4 dims"),
        (["--mesh", "d=8", "--sizes", "bath=3"], "did you mean `batch`?"),
        (["--split", "x=d"], "go with `--mesh`"),
    ],
)
def test_mistakes(monkeypatch, capsys, words, message) -> None:
    monkeypatch.chdir(ROOT)
    assert main(["explain", "rms_norm", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_gather_is_warned_of_while_tracing(monkeypatch, caplog) -> None:
    import jax
    import jax.numpy as jnp
    from jax.sharding import AxisType, NamedSharding
    from jax.sharding import PartitionSpec as P

    from generated._opgen.jax import report
    from generated.jax import fused_add_rms_norm

    if jax.device_count() < 8:
        pytest.skip("needs 8 devices")
    x, weight = jnp.ones((3, 40)), jnp.ones(40)
    for kind in (AxisType.Auto, AxisType.Explicit):
        mesh = jax.make_mesh((8,), ("d",), (kind,))
        placed = jax.device_put(x, NamedSharding(mesh, P(None, "d")))
        for explain in (False, True):
            monkeypatch.setattr(report, "EXPLAIN", explain)
            report._say.cache_clear()
            jax.clear_caches()
            caplog.clear()
            with jax.set_mesh(mesh), caplog.at_level(logging.WARNING):
                for _ in range(2):  # reported once, though traced twice
                    jax.block_until_ready(
                        jax.jit(lambda x, w: fused_add_rms_norm(x, x, w))(placed, weight)
                    )
            found = [r.message for r in caplog.records if "rms_norm" in r.message]
            assert len(found) == 2 * explain
            if explain:
                assert found[0].startswith(
                    "fused_add_rms_norm: x: split as (-,d), needed as (-,-): 420 bytes"
                )
                assert "`d` is not among the dims that `sharding.split` names" in found[0]
