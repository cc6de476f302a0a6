"""The Llama of `examples/llama` trains like transformers' own, in every mode."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from collections import Counter
from pathlib import Path

import pytest
import torch

pytest.importorskip(
    "transformers", reason="transformers is not installed: pip install 'opgen[llama]'"
)

from examples.llama.parallel import LAYOUTS, trained  # noqa: E402
from examples.llama.train import DTYPES, batch, losses_of, model_of  # noqa: E402
from examples.small_llama import agree  # noqa: E402
from generated._opgen.torch.patching import Patch, _offered  # noqa: E402

OFFERS = [each for each in _offered if each.of[0].startswith("transformers.")]


@pytest.fixture(scope="module")
def exact() -> list[float]:
    return losses_of(ours=False, dtype="f64")


MODES = {"eager": (None,), "compiled": ("aot_eager",), "checkpointed": (None, True)}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_losses_are_as_native(dtype: str, mode: str, exact: list[float]) -> None:
    native, ours = (losses_of(each, dtype, *MODES[mode]) for each in (False, True))
    assert agree(ours, native, exact)
    assert exact[-1] < exact[0] - 0.5


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_four_processes_train_as_native_and_move_no_more(layout: str, exact: list[float]) -> None:
    runs = trained(layout)
    for dtype in DTYPES:
        ours, native = runs[f"ours, {dtype}"], runs[f"native, {dtype}"]
        assert agree(ours.losses, native.losses, exact)
        assert ours.collectives == native.collectives
        assert ours.moved <= native.moved and ours.kept < native.kept


def test_a_cache_changes_nothing() -> None:
    model = model_of(ours=True).eval()
    options = {"max_new_tokens": 8, "do_sample": False, "output_logits": True}
    found = []
    for cached in (True, False):
        ids = batch(0)[:, :9]
        found.append(
            model.generate(
                ids,
                attention_mask=torch.ones_like(ids),
                use_cache=cached,
                return_dict_in_generate=True,
                **options,
            )
        )
    cached, whole = (torch.stack(each.logits) for each in found)
    assert (cached - whole).abs().max() <= 16 * torch.finfo(torch.float32).eps


def test_an_exported_model_holds_ops_and_gives_what_it_gave() -> None:
    model, tokens = model_of(ours=True).eval(), batch(0)
    program = torch.export.export(model, (), {"input_ids": tokens, "return_dict": False})
    names = Counter(str(node.target) for node in program.graph.nodes)
    found = {n.split(".")[1]: k for n, k in names.items() if n.startswith("generated.")}
    checks = found.pop("_made_with")  # of the state of each op
    assert found == {"rms_layer_norm": 5, "swiglu": 2, "embedding": 1, "apply_rotary": 2}
    assert checks == sum(found.values())
    (logits,) = program.module()(input_ids=tokens, return_dict=False)
    assert torch.equal(logits, model(tokens).logits)


@pytest.mark.slow
def test_compiled_ahead_of_time_it_gives_what_it_gave(tmp_path: Path) -> None:
    model, arguments = model_of(ours=True).eval(), {"input_ids": batch(0), "return_dict": False}
    with torch.no_grad():
        program = torch.export.export(model, (), arguments)
        package = str(tmp_path / "llama.pt2")
        path = torch._inductor.aoti_compile_and_package(program, package_path=package)
        (logits,) = torch._inductor.aoti_load_package(path)(**arguments)
        expected = model(**arguments)[0]
    assert (logits - expected).abs().max() <= 16 * torch.finfo(torch.float32).eps


def test_checkpoints_stay_what_they_are() -> None:
    native, ours = model_of(ours=False), model_of(ours=True)
    ours.load_state_dict(native.state_dict())
    native.load_state_dict(ours.state_dict())
    ops = [part.op for part in ours.modules() if hasattr(part, "op")]
    assert Counter(ops) == {"rms_layer_norm": 5, "swiglu": 2, "embedding": 1}


def body(name: str) -> str:
    """Return the forward of a class as a syntax tree, without its docstring and annotations."""
    module, _, cls = name.rpartition(".")
    forward = getattr(importlib.import_module(module), cls).forward
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(forward))).body
    assert isinstance(tree, ast.FunctionDef)
    tree.returns = None
    for argument in tree.args.args:
        argument.annotation = None
    if ast.get_docstring(tree):
        del tree.body[0]
    return ast.unparse(tree)


@pytest.mark.parametrize("offer", OFFERS, ids=lambda offer: offer.__name__)
def test_classes_that_are_patched_alike_compute_the_same(offer: type[Patch]) -> None:
    assert len({body(name) for name in offer.of}) == 1
