"""What the rendered JAX face must do, whatever the op."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding, PartitionSpec
from jax.test_util import check_grads

from opgen.shapes import Group
from opgen.testing import oracle, torch_checks
from opgen.testing.cases import Case
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import numpy_dtype
from opgen.testing.subject import Subject
from opgen.testing.torch_checks import twice_differentiable


def precision(case: Case):
    """x64 for the cases that need it, and only for them."""
    wide = {"f64", "i64", "u64"} & {dtype for _, dtype in case.dtypes}
    return jax.enable_x64(True) if wide else contextlib.nullcontext()


def call(subject: Subject, case: Case, inputs: list) -> tuple:
    """The results of a call, always as a tuple, awaited."""
    given = subject.face("jax")(*inputs, **dict(case.attrs))
    return jax.block_until_ready(given if isinstance(given, tuple) else (given,))


def values(subject: Subject, case: Case) -> None:
    """Values agree with the reference, eagerly and under `jax.jit`."""
    arrays = draw(subject.op, case)
    wanted = oracle.results(subject, case, arrays)
    with precision(case):
        inputs = [None if a is None else jnp.asarray(a) for a in arrays]
        eager = call(subject, case, inputs)
        jitted = jax.jit(lambda *xs: call_traced(subject, case, xs))(*inputs)
        for tensor, y, z, exact in zip(subject.op.results, eager, jitted, wanted):
            oracle.close(np.asarray(y), exact, case, what=f"{subject.name}.{tensor.name}")  # fmt: skip
            np.testing.assert_array_equal(np.asarray(y), np.asarray(z))


def call_traced(subject: Subject, case: Case, inputs) -> tuple:
    given = subject.face("jax")(*inputs, **dict(case.attrs))
    return given if isinstance(given, tuple) else (given,)


def gradients(subject: Subject, case: Case) -> None:
    """Gradients agree with autodiff of the reference."""
    arrays = draw(subject.op, case)
    cotangents = draw_cotangents(subject.op, case)
    wanted = oracle.gradients(subject, case, arrays, cotangents)
    size = oracle.largest(cotangents)
    with precision(case):
        inputs = [None if a is None else jnp.asarray(a) for a in arrays]
        places = [n for n, t in enumerate(subject.op.inputs) if t.name in wanted]

        def function(*active):
            full = list(inputs)
            for place, value in zip(places, active):
                full[place] = value
            return call_traced(subject, case, full)

        _, pull = jax.vjp(function, *(inputs[n] for n in places))
        found = pull(tuple(jnp.asarray(c) for c in cotangents))
        for place, grad in zip(places, found):
            name = subject.op.inputs[place].name
            assert grad.dtype == inputs[place].dtype
            oracle.close(
                np.asarray(grad),
                wanted[name],
                case,
                what=f"d{name}",
                k=64,
                scale=size,
            )


def gradcheck(subject: Subject, case: Case) -> None:
    """`jax.test_util.check_grads` in f64, to second order where the op says how."""
    order = 2 if twice_differentiable(subject) else 1
    with jax.enable_x64(True):
        inputs = [jnp.asarray(a) for a in draw(subject.op, case)]
        check_grads(
            lambda *xs: call_traced(subject, case, xs),
            inputs,
            order=order,
            modes=["rev"],
        )


def vmap(subject: Subject, case: Case) -> None:
    """`jax.vmap` over any operand agrees with a loop, to the bit."""
    rows = [draw(subject.op, replace(case, seed=case.seed + n)) for n in range(3)]  # fmt: skip
    count = len(subject.op.inputs)
    with precision(case):
        for mask in range(1, 2**count):
            batched = [mask >> n & 1 == 1 for n in range(count)]
            inputs = [jnp.asarray(np.stack([r[n] for r in rows]) if b else rows[0][n]) for n, b in enumerate(batched)]  # fmt: skip
            in_axes = tuple(0 if b else None for b in batched)
            got = jax.vmap(lambda *xs: call_traced(subject, case, xs), in_axes)(*inputs)
            for index in range(3):
                one = [x[index] if b else x for x, b in zip(inputs, batched)]
                for y, wanted in zip(got, call(subject, case, one)):
                    np.testing.assert_array_equal(
                        np.asarray(y[index]), np.asarray(wanted)
                    )


def sharded(subject: Subject, case: Case) -> None:
    """Each dim that may be split, split over all devices: the values of the whole, no gather."""
    devices = jax.devices()
    if len(devices) < 2:
        pytest.skip("one device only")
    mesh = jax.make_mesh((len(devices),), ("i",), (jax.sharding.AxisType.Auto,))
    for name in subject.op.split.only:
        whole = replace(case, sizes=_divisible(case, name, len(devices)))  # fmt: skip
        with precision(whole):
            inputs = [jnp.asarray(a) for a in draw(subject.op, whole)]
            wanted = call(subject, whole, inputs)
            placed = [
                _split(x, t, dict(whole.sizes), name, mesh)
                for x, t in zip(inputs, subject.op.inputs)
            ]
            compiled = (
                jax.jit(lambda *xs: call_traced(subject, whole, xs))
                .lower(*placed)
                .compile()
            )
            assert "all-gather" not in compiled.as_text(), f"split by {name}: gathered"
            got = jax.block_until_ready(compiled(*placed))
            for tensor, y, full in zip(subject.op.results, got, wanted):
                if tensor.reduce:  # summed in another order
                    exact = np.asarray(full).astype(np.float64)
                    what = f"{tensor.name} split by {name}"
                    oracle.close(np.asarray(y), exact, whole, what=what, scale=1.0)
                else:
                    np.testing.assert_array_equal(np.asarray(y), np.asarray(full))


def _divisible(case: Case, name: str, count: int) -> tuple:
    """The sizes of a case, none of them 0, with a multiple of `count` for `name`."""
    sizes = []
    for other, size in case.sizes:
        if isinstance(size, tuple):
            size = (2 * count, 3) if other == name else tuple(n or 2 for n in size)
        else:
            size = 2 * count if other == name else size or 2
        sizes.append((other, size))
    return tuple(sizes)


def _split(array, tensor, sizes: dict, name: str, mesh):
    """`array` with its dim `name` (of a group: the first dim) over the mesh."""
    spec: list[str | None] = []
    for term in tensor.shape.terms:
        rank = len(sizes[term.name]) if isinstance(term, Group) else 1
        spec += ["i" if term.name == name and n == 0 else None for n in range(rank)]
    return jax.device_put(array, NamedSharding(mesh, PartitionSpec(*spec)))


def abstract(subject: Subject, case: Case) -> None:
    """Abstract evaluation gives the shapes and dtypes that `infer` gives."""
    arrays = draw(subject.op, case)
    wanted = torch_checks.inferred(subject, case, arrays)
    with jax.enable_x64(True):
        given = jax.tree.map(lambda a: jax.ShapeDtypeStruct(a.shape, a.dtype), arrays)
        found = jax.eval_shape(lambda xs: call_traced(subject, case, xs), given)
        flat = jax.tree.leaves(found, is_leaf=lambda leaf: leaf is None)
        for y, (tensor, spec) in zip(flat, wanted, strict=True):
            if spec is None:
                assert y is None, tensor.name
            else:
                expected = spec.shape, numpy_dtype(spec.dtype)
                assert (y.shape, y.dtype) == expected, tensor.name


def refusals(subject: Subject) -> None:
    """What is no array, or of a wrong dtype, is refused by name."""
    case = torch_checks.simple(subject)
    with jax.enable_x64(True):
        good = jax.tree.map(jnp.asarray, draw(subject.op, case))
        for position, tensor in enumerate(subject.op.inputs):
            if not tensor.always or tensor.list:
                continue
            for bad in (None, [1.0, 2.0], "text", good[position].astype(jnp.complex64)):
                inputs = [*good[:position], bad, *good[position + 1 :]]
                with pytest.raises(TypeError, match=rf"{subject.name}.*{tensor.name}"):
                    subject.face("jax")(*inputs, **dict(case.attrs))
