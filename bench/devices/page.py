"""Write docs/devices.md and its picture from bench/devices/measured.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bench.devices.bars_svg import bars
from bench.devices.layouts import COUNTS, LLAMA, TOKENS, layouts
from bench.devices.record import Step
from bench.markdown import table

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
MEASURED = HERE / "measured.json"
PAGE, PICTURE = DOCS / "devices.md", DOCS / "_static" / "devices.svg"
OPS = "native", "opgen"

HEAD = """\
# A thousand devices, without one

How many bytes move between 1,024 or 4,096 devices if a model is trained with opgen's ops instead of native ops? This
page gives the answer for a model with the shapes of Llama 3 70B, in six layouts. `make devices` wrote this page on
{date}, in a few minutes on two CPU cores (PyTorch {torch}, JAX {jax}).

![Bytes that each device receives in a step, with opgen's ops and with native ops](_static/devices.svg)

The picture has a group of four bars for each layout and framework. The upper two bars of a group are for 1,024 devices,
and the lower two are for 4,096 devices.

## What was traced

A training step here is a forward and a backward in f32, without an optimizer. At its end, each device has its part of
the gradients. The models are those of [`examples/llama_torch`](../examples/llama_torch/model.py) and
[`examples/llama_jax`](../examples/llama_jax/model.py), with {layers} layers, {width} columns (the hidden size) and sequences of
{tokens} tokens. If a layout splits the batch into n parts, the batch has n sequences, one in each part. Both models use
the framework's attention.

* **PyTorch** runs the model on fake tensors, which have shapes but no data, in a `fake` process group, which has no
  other processes. FSDP2 and DTensor decide and call collectives as they do on real devices.
* **JAX** lowers the model for virtual CPU devices. XLA partitions and compiles the program, which never runs. On CPUs,
  XLA sums gradients by all-reduce, even if each device keeps only a part of the sum. So JAX moves more bytes than
  PyTorch.

`make devices` traces a model with one layer and a model with two layers. From these it computes the bytes of a model
with all layers, because each further layer moves the same bytes as the second layer. {test} checks
this with a third layer. In the tables below, `traced` is the time to trace and plan the model with two layers, and in
JAX to compile it. The machine ran other programs at the same time. The next table shows the size of each mesh axis:
`copies` and `shards` split the batch, and `shards` also splits the weights.
"""
LAYOUTS = {
    "FSDP": "weights and batch",
    "HSDP": "weights and batch, as in FSDP, within each group of 64 devices; each group has a copy of the weights and another part of the batch",
    "TP+SP": "heads, hidden dims and vocabulary within each group of 8 devices; between the layers, tokens. Each group has a copy of the weights",
    "FSDP x TP+SP": "everything that FSDP and TP+SP split",
    "FSDP x CP": "batch, weights and the tokens of each sequence; each device gathers the keys and values for attention",
    "FSDP x EP": "batch, weights and experts: in place of each MLP there are 64 experts with 3,584 hidden dims, of which each token uses 8. All devices exchange the same number of rows",
}
AFTER = """
## Bytes and collectives

opgen's ops never move more bytes than native ops. If each device has the complete weights of an op and only a part of
the tokens, both kinds of ops move the same bytes. opgen's ops move fewer bytes in some layouts that split the
vocabulary (`embedding` and `cross_entropy`) or the tokens of a sequence (the gradient of `embedding`). In JAX, they
also avoid gathering a table of `embedding` whose columns are split. Each device looks up its columns for all tokens,
and the devices then exchange the results. This adds up to six collectives.

The tables show the bytes that one device receives in a step. `of native` is opgen's bytes divided by the native bytes,
and `traced` is in seconds.
"""
COLUMNS = (
    "layout",
    "devices",
    "collectives, native",
    "opgen",
    "GB, native",
    "opgen",
    "of native",
    "traced, native",
    "opgen",
)


def page(whole: dict[str, Any]) -> str:
    """Return the text of docs/devices.md, from the content of measured.json."""
    steps = _steps(whole)
    packages = whole["machine"]["packages"]
    head = HEAD.format(
        date=whole["date"],
        torch=packages["torch"],
        jax=packages["jax"],
        layers=LLAMA.layers,
        width=f"{LLAMA.width:,}",
        tokens=f"{TOKENS:,}",
        test="`tests/test_devices.py`",
    )
    meshes = [
        (name, ", ".join(f"{n} {axis}" for axis, n in sizes.items() if n > 1), LAYOUTS[name])
        for name, sizes in layouts(COUNTS[0]).items()
    ]
    lines = [head, table(("layout", "mesh of 1,024 devices", "what is split"), meshes), AFTER]
    for framework in dict.fromkeys(step.framework for step in steps.values()):
        rows = [
            _cells(*(steps[framework, devices, name, ops] for ops in OPS))
            for name in LAYOUTS
            for devices in COUNTS
        ]
        lines += [f"### {framework}", "", table(COLUMNS, rows), ""]
    return "\n".join(lines)


def picture(whole: dict[str, Any]) -> str:
    """Return a bar chart of the same steps as SVG."""
    steps = _steps(whole)
    panels = {
        framework: {
            name: [
                (step.moved, ops, f"{devices:,} devices, {ops}: {step.moved / 1e9:,.1f} GB")
                for devices in COUNTS
                for ops in OPS
                for step in [steps[framework, devices, name, ops]]
            ]
            for name in LAYOUTS
        }
        for framework in dict.fromkeys(step.framework for step in steps.values())
    }
    return bars(panels, "Bytes that each device receives in a step of a 70B Llama")


def write() -> None:
    whole = json.loads(MEASURED.read_text())
    PAGE.write_text(page(whole))
    PICTURE.write_text(picture(whole))


def _steps(whole: dict[str, Any]) -> dict[tuple[str, int, str, str], Step]:
    found = (Step(**each) for each in whole["steps"])
    return {(step.framework, step.devices, step.layout, step.ops): step for step in found}


def _cells(native: Step, ours: Step) -> tuple[str, ...]:
    both = native, ours
    return (
        ours.layout,
        f"{ours.devices:,}",
        *(", ".join(f"{n} {kind}" for kind, n in s.collectives.items()) for s in both),
        *(f"{s.moved / 1e9:,.1f}" for s in both),
        f"{ours.moved / native.moved:.4f}",
        *(f"{s.seconds:.1f}" for s in both),
    )


if __name__ == "__main__":
    write()
