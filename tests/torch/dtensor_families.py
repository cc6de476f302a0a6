"""Every op of specs/ on shards: split along each name that its spec lets be split."""

from __future__ import annotations

import importlib
from pathlib import Path

import generated.torch
from generated._opgen.torch import importing, sharding

# What DTensor will be told, before it is imported and told.
TOLD = [t for t in importing.waiting[sharding.DTENSOR] if t.func is sharding._shard]
FACTS = {t.args[0]._schema.name.partition("::")[2]: t.keywords for t in TOLD}

import torch  # noqa: E402
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.distributed.tensor.debug import CommDebugMode

from generated._opgen import torch as _runtime
from generated._opgen.torch import problem  # noqa: E402
from generated._opgen.torch.call import CALLS, spec_of
from generated._opgen.torch.dims import fit
from opgen.compiler.pipeline import load
from opgen.ir.op import Op
from opgen.spec.config import load_config
from opgen.testing.cases import cases
from opgen.testing.draw import draw
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.torch_checks import attributes, tensors

ROOT = Path(generated.torch.__file__).parents[2]


def check_families(mesh) -> dict[str, int]:
    """How many ways of splitting were tried of each op; their values are those of the whole."""
    config, *_ = load_config(ROOT)
    project, _, _ = load(sorted(config.specs_dir.glob("*.toml")), config)
    tried = {}
    for op in project.ops:
        if op.name in FACTS and _runs(op):
            tried[op.name] = sum(
                _check(OpUnderTest(op, project), case, mesh) for case in _cases(op)
            )
    return tried


def _runs(op: Op) -> bool:
    """True if there is a kernel; else the reference replaces it."""
    if any(kernel.platform == "cpu" for kernel in op.kernels):
        return True
    if op.reference is not None and not op.fallback:
        file, _, name = op.reference.partition(":")
        _runtime.fall_back(op.name, _runtime.reference(Path(file).stem, name))
    return op.reference is not None


def _cases(op: Op) -> list:
    """A few calls, those first in which there is something to split."""
    large, small = [], []
    for case in cases(op):
        sizes = [n for _, s in case.sizes for n in (s if isinstance(s, tuple) else (s,))]
        flat = [n for s in sizes for n in (s if isinstance(s, tuple) else (s,))]
        if flat and 0 < min(flat) and max(flat) < 300:
            (large if min(flat) > 1 else small).append(case)
    return [*large, *small][:5]


def _check(subject: OpUnderTest, case, mesh) -> int:
    op = subject.op
    facts, call = FACTS[op.name], CALLS[op.name]
    arrays = draw(op, case)
    attrs = dict(zip((a.name for a in op.attrs), attributes(subject, case)))
    given = dict(zip((t.name for t in op.inputs), tensors(subject, arrays)))
    bound = call.bind(
        (), {n: [] if v is None and _is_list(op, n) else v for n, v in given.items()} | attrs
    )
    specs = {n: spec_of(v) or None if isinstance(v, list) else spec_of(v) for n, v in bound.items()}
    split = facts["split"](**specs) if callable(facts["split"]) else facts["split"]
    held = {n: v if isinstance(v, list) else [] if v is None else [v] for n, v in given.items()}
    known = {n: len(v) for n, v in bound.items() if n not in given and isinstance(v, (list, tuple))}
    shapes = fit(
        problem._chosen(facts["inputs"], specs),
        {n: [t.ndim for t in v] for n, v in held.items()},
        known,
    )
    ways: list[dict[str, int]] = [{}]
    ways += [
        {n: p} for n in split for p in range(shapes.ranks.get(n, 1)) if n not in shapes.elements
    ]
    for name in shapes.elements & set(split):
        ways.append(
            {f"{name}[{i}]": 0 for i in range(len(arrays)) if shapes.ranks.get(f"{name}[{i}]", 1)}
        )
    # DTensor has no placement for a mean that is weighted: what it is of is gathered.
    means = {
        n
        for how in facts.get("reduce", {}).values()
        for n, k in how.items()
        if "mean(" in str(k(**specs) if callable(k) else k)
    }
    ways = [axis for axis in ways if not means & axis.keys()]
    for axis in ways:
        _try(op, given, shapes, axis, attrs, mesh)
    return len(ways)


def _is_list(op: Op, name: str) -> bool:
    return any(t.name == name and t.list for t in op.inputs)


def _try(op: Op, given: dict, shapes, axis: dict, attrs: dict, mesh) -> None:
    wrapper = getattr(importlib.import_module(f"generated.torch._{op.name}"), op.name)
    whole = {name: _copied(value) for name, value in given.items()}
    wanted = wrapper(*whole.values(), **attrs)
    placed, even = {}, True
    for name, value in given.items():
        if value is None:
            placed[name] = None
            continue
        parts = []
        for tensor, terms in zip(
            value if isinstance(value, list) else [value], shapes.shapes[name]
        ):
            dim = shapes.dim(terms, axis)
            factor = dim is not None and any(t.startswith(f"{n}*") for n in axis for t in terms)
            even &= dim is None or (tensor.shape[dim] % mesh.size() == 0 and not factor)
            placement = Replicate() if dim is None else Shard(dim)
            parts.append(_placed(tensor, placement, mesh))
        placed[name] = parts if isinstance(value, list) else parts[0]
    updated = [t.name for t in op.inputs if t.update]
    with CommDebugMode() as collectives:
        try:
            got = wrapper(*placed.values(), **attrs)
        except NotImplementedError as error:
            assert updated and not even and "cannot be updated" in str(error)
            return
    count = collectives.get_total_counts()
    assert count == 0 or not even, (op.name, axis, collectives.get_comm_counts())
    pairs = list(zip(_flat(got), _flat(wanted), strict=True))
    pairs += [
        (a, b) for n in updated for a, b in zip(_flat(placed[n]), _flat(whole[n]), strict=True)
    ]
    for ours, exact in pairs:
        if exact is None:
            assert ours is None
            continue
        assert isinstance(ours, DTensor), (op.name, axis)
        close, eps = torch.testing.assert_close, 1e-6
        if exact.is_floating_point():
            eps = 16 * torch.finfo(exact.dtype).eps
        # A mean over no rows is NaN, here as in PyTorch's own ops.
        size = exact.double().nan_to_num().abs().max().item() if exact.numel() else 1.0
        close(
            ours.double().full_tensor(),
            exact.double(),
            rtol=eps,
            atol=eps * max(size, 1.0),
            equal_nan=True,
            msg=lambda m: f"{op.name} {axis}: {m}",
        )


def _placed(tensor: torch.Tensor, placement, mesh) -> DTensor:
    """A DTensor of this tensor, which every process has; not every dtype can be sent."""
    local = tensor.clone()
    if isinstance(placement, Shard):
        parts = list(tensor.chunk(mesh.size(), placement.dim))
        parts += [tensor.narrow(placement.dim, 0, 0)] * (mesh.size() - len(parts))
        local = parts[mesh.get_local_rank()].contiguous().clone()
    kept = {"shape": tensor.shape, "stride": tensor.stride(), "run_check": False}
    return DTensor.from_local(local, mesh, [placement], **kept)


def _copied(value):
    if isinstance(value, list):
        return [each.clone() for each in value]
    return None if value is None else value.clone()


def _flat(value) -> list:
    if isinstance(value, (list, tuple)):
        return [each for part in value for each in _flat(part)]
    return [value]
