"""Check every op of specs/ on shards, split along each dim that its spec allows."""

from __future__ import annotations

import importlib
from pathlib import Path

import generated.torch
from generated._opgen.torch import importing, sharding

# Registrations for DTensor that wait until it is imported.
TOLD = [t for t in importing.waiting[sharding.DTENSOR] if t.func is sharding._shard]
NAMES = {t.args[0]._schema.name.partition("::")[2] for t in TOLD}

import torch  # noqa: E402
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta
from torch.distributed.tensor.debug import CommDebugMode

from generated._opgen import torch as _runtime
from generated._opgen.torch.call import CALLS
from generated._opgen.torch.problem import Problem
from opgen.compiler.pipeline import load
from opgen.ir.op import Op
from opgen.spec.config import load_config
from opgen.testing.cases import cases
from opgen.testing.draw import draw
from opgen.testing.op_under_test import OpUnderTest
from opgen.testing.torch_checks import attributes, tensors

ROOT = Path(generated.torch.__file__).parents[2]


def check_families(mesh) -> dict[str, int]:
    """Check all ops on `mesh`; return the number of tried ways of splitting for each op."""
    config, *_ = load_config(ROOT)
    project, _, _ = load(sorted(config.specs_dir.glob("*.toml")), config)
    tried = {}
    for op in project.ops:
        if op.name in NAMES and _told(op) and _runs(op):
            tried[op.name] = sum(
                _check(OpUnderTest(op, project), case, mesh) for case in _cases(op)
            )
    return tried


def _told(op: Op) -> bool:
    """Return whether DTensor is told how the op splits."""
    facts = CALLS[op.name].facts
    return facts.told and facts.follow is None


def _runs(op: Op) -> bool:
    """Return whether the op has a CPU kernel or a reference; register the reference if needed."""
    if any(kernel.platform == "cpu" for kernel in op.kernels):
        return True
    if op.reference is not None and not op.fallback:
        file, _, name = op.reference.partition(":")
        _runtime.fall_back(op.name, _runtime.reference(Path(file).stem, name))
    return op.reference is not None


def _cases(op: Op) -> list:
    """Return a few calls; those with dims large enough to split come first."""
    large, small = [], []
    for case in cases(op):
        sizes = [n for _, s in case.sizes for n in (s if isinstance(s, tuple) else (s,))]
        flat = [n for s in sizes for n in (s if isinstance(s, tuple) else (s,))]
        if flat and 0 < min(flat) and max(flat) < 300:
            (large if min(flat) > 1 else small).append(case)
    return [*large, *small][:5]


def _check(subject: OpUnderTest, case, mesh) -> int:
    op = subject.op
    call = CALLS[op.name]
    arrays = draw(op, case)
    attrs = dict(zip((a.name for a in op.attrs), attributes(subject, case)))
    given = dict(zip((t.name for t in op.inputs), tensors(subject, arrays)))
    bound = call.bind(
        (), {n: [] if v is None and _is_list(op, n) else v for n, v in given.items()} | attrs
    )
    problem = Problem.of(call, {n: _whole(v, mesh) for n, v in bound.items()}, mesh)
    terms = {term for own in problem.shapes.values() for shape in own for term in shape}
    elements = {term.key for term in terms if term.number is not None}
    ways: list[dict[tuple[str, int | None], int]] = [{}]
    for name in problem.names:
        own = {key: 0 for key in elements if key[0] == name and problem.ranks.get(key, 1)}
        if any(key[0] == name for key in elements):
            ways.append(own)
        else:
            ways += [{(name, None): p} for p in range(problem.ranks.get((name, None), 1))]
    # DTensor has no placement for a weighted mean, so its operands are gathered.
    means = {(n, None) for how in problem.kinds.values() for n, each in how.items() if each.weight}
    ways = [axis for axis in ways if not means & axis.keys()]
    for axis in ways:
        _try(op, given, problem, axis, attrs, mesh)
    return len(ways)


def _whole(value, mesh):
    """Return DTensor's description of a tensor that is not split, or of each in a list."""
    if isinstance(value, list):
        return [_whole(each, mesh) for each in value]
    if not isinstance(value, torch.Tensor):
        return value
    meta = TensorMeta(value.shape, value.stride(), value.dtype)
    return DTensorSpec(mesh, (Replicate(),), tensor_meta=meta)


def _is_list(op: Op, name: str) -> bool:
    return any(t.name == name and t.list for t in op.inputs)


def _try(op: Op, given: dict, problem: Problem, axis: dict, attrs: dict, mesh) -> None:
    wrapper = getattr(importlib.import_module(f"generated.torch._{op.name}"), op.name)
    whole = {name: _copied(value) for name, value in given.items()}
    wanted = wrapper(*whole.values(), **attrs)
    placed, even = {}, True
    for name, value in given.items():
        if value is None:
            placed[name] = None
            continue
        parts = []
        for tensor, shape in zip(
            value if isinstance(value, list) else [value], problem.shapes[name]
        ):
            dim = problem.dim(shape, axis)
            factor = any(term.kind == "product" and term.key in axis for term in shape)
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
    # Shards that stay split need no collective, unless they leave a larger sum to reduce.
    inputs = [x for x in _flat([*placed.values()]) if x is not None]
    split = sum(x.nbytes for x in inputs if not x.placements[0].is_replicate())
    results = zip(problem.made.values(), [y for y in _flat(wanted) if y is not None])
    summed = sum(y.nbytes for shape, y in results if problem.lacks(shape, axis))
    count = collectives.get_total_counts()
    assert count == 0 or not even or split < summed, (op.name, axis, collectives.get_comm_counts())
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
        # A mean over no rows is NaN, here and in PyTorch's own ops.
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
    """Return a DTensor of a tensor that every process has.

    The tensor is cut locally, because some dtypes cannot be sent.
    """
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
