"""What the rendered JAX face must do, whatever the op."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import NamedSharding, PartitionSpec
from jax.test_util import check_grads

from opgen.expr import names_in
from opgen.ir import Tensor
from opgen.shapes import Group, Term
from opgen.testing import oracle, torch_checks
from opgen.testing.arrays import flat, mapped, named
from opgen.testing.cases import Case
from opgen.testing.draw import draw, draw_cotangents
from opgen.testing.environment import (
    environment,
    form_in,
    holds,
    numpy_dtype,
    pick,
)
from opgen.testing.subject import Subject
from opgen.testing.torch_checks import twice_differentiable


def precision(subject: Subject, case: Case):
    """x64 for the cases that need it, and only for them."""
    found = {dtype for _, dtype in case.dtypes}
    for tensor in (*subject.op.inputs, *subject.op.outputs):
        found.update(tensor.dtype.values())
    wide = {"f64", "i64", "u64"} & found
    return jax.enable_x64(True) if wide else contextlib.nullcontext()


def call(subject: Subject, case: Case, inputs: list) -> tuple:
    """The results of a call, always as a tuple, awaited."""
    given = subject.face("jax")(*inputs, **dict(case.attrs))
    return jax.block_until_ready(given if isinstance(given, tuple) else (given,))


def on(device: str):
    """New arrays lie on the first such device."""
    return jax.default_device(jax.devices(device)[0])


def values(subject: Subject, case: Case, device: str = "cpu") -> None:
    """Values agree with the reference, eagerly and under `jax.jit`."""
    arrays = draw(subject.op, case)
    wanted = oracle.results(subject, case, arrays)
    with precision(subject, case), on(device):
        inputs = mapped(jnp.asarray, arrays)
        eager = call(subject, case, inputs)
        jitted = jax.jit(lambda *xs: call_traced(subject, case, xs))(*inputs)
        for name, y, z, exact in named(subject.op.results, eager, jitted, wanted):
            if exact is None:
                assert y is None and z is None, name
            else:
                oracle.close(np.asarray(y), exact, case, what=f"{subject.name}.{name}")
                same_bits(y, z)


def call_traced(subject: Subject, case: Case, inputs) -> tuple:
    given = subject.face("jax")(*inputs, **dict(case.attrs))
    return given if isinstance(given, tuple) else (given,)


def gradients(subject: Subject, case: Case, device: str = "cpu") -> None:
    """Gradients agree with autodiff of the reference."""
    arrays = draw(subject.op, case)
    cotangents = draw_cotangents(subject.op, case)
    wanted = oracle.gradients(subject, case, arrays, cotangents)
    size = oracle.largest(cotangents)
    with precision(subject, case), on(device):
        inputs = mapped(jnp.asarray, arrays)
        places = [n for n, t in enumerate(subject.op.inputs) if t.name in wanted]

        def function(*active):
            full = list(inputs)
            for place, value in zip(places, active):
                full[place] = value
            return tuple(filter(floating, call_traced(subject, case, full)))

        results, pull = jax.vjp(function, *(inputs[n] for n in places))
        pulled = [c for c in cotangents if c is not None and c.dtype.kind != "i"]
        assert len(pulled) == len(results)
        found = pull(tuple(map(jnp.asarray, pulled)))
        for place, grad in zip(places, found):
            name = subject.op.inputs[place].name
            assert grad.dtype == inputs[place].dtype
            oracle.close(
                np.asarray(grad),
                wanted[name],
                case,
                what=f"d{name}",
                k=64,
                scale=max(size, oracle.largest([wanted[name]])),
            )


def floating(result: jax.Array | None) -> bool:
    """Whether a result is there and could have a cotangent."""
    return result is not None and jnp.issubdtype(result.dtype, jnp.floating)


def gradcheck(subject: Subject, case: Case) -> None:
    """`jax.test_util.check_grads` in f64, to second order where the op says how."""
    order = 2 if twice_differentiable(subject) else 1
    with jax.enable_x64(True):
        inputs = mapped(jnp.asarray, draw(subject.op, case))
        active = [
            n
            for n, (x, t) in enumerate(zip(inputs, subject.op.inputs))
            if floating(x) and t.differentiable
        ]

        def function(*xs):
            full = list(inputs)
            for place, x in zip(active, xs):
                full[place] = x
            return tuple(filter(floating, call_traced(subject, case, full)))

        check_grads(
            function,
            [inputs[n] for n in active],
            order=order,
            modes=["rev"],
        )


def vmap(subject: Subject, case: Case) -> None:
    """`jax.vmap` over any operands agrees with a loop, to the bit."""
    rows = [draw(subject.op, replace(case, seed=case.seed + n)) for n in range(3)]  # fmt: skip
    with precision(subject, case):
        for batched in torch_checks.batches(subject, rows[0]):
            inputs = torch_checks.stacked(np.stack, rows, batched)
            inputs = mapped(jnp.asarray, inputs)
            in_axes = tuple(0 if b else None for b in batched)
            got = jax.vmap(lambda *xs: call_traced(subject, case, xs), in_axes)(*inputs)
            for index in range(3):
                one = [
                    mapped(lambda x: x[index], [x])[0] if b else x
                    for x, b in zip(inputs, batched)
                ]
                results = flat(call(subject, case, one))
                for y, wanted in zip(flat(got), results, strict=True):
                    same_bits(None if y is None else y[index], wanted)


def same_bits(a: jax.Array | None, b: jax.Array | None, what: str = "") -> None:
    """Assert that two results are the same, NaNs too."""
    assert (a is None) == (b is None), what
    if a is not None:
        assert (a.dtype, a.shape) == (b.dtype, b.shape), what
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes(), what


def sharded(subject: Subject, cases: list[Case]) -> None:
    """Each dim that may be split, split over all devices: the values of the whole, no gather."""
    devices = jax.devices()
    if len(devices) < 2:
        pytest.skip("one device only")
    mesh = jax.make_mesh((len(devices),), ("i",), (jax.sharding.AxisType.Auto,))
    names = dict.fromkeys(n for split in subject.op.split.values() for n in split)
    for name in names:
        whole = next(_splittable(subject, cases, name, 2 * len(devices)))
        with precision(subject, whole):
            inputs = mapped(jnp.asarray, draw(subject.op, whole))
            wanted = call(subject, whole, inputs)
            placed = _placed(subject, whole, inputs, name, mesh)
            compiled = (
                jax.jit(lambda *xs: call_traced(subject, whole, xs))
                .lower(*placed)
                .compile()
            )
            assert "all-gather" not in compiled.as_text(), f"split by {name}: gathered"
            got = jax.block_until_ready(compiled(*placed))
            for tensor, ys, fulls in zip(subject.op.results, got, wanted, strict=True):
                what = f"{tensor.name} split by {name}"
                for y, full in zip(flat([ys]), flat([fulls]), strict=True):
                    if tensor.reduce and y is not None:  # summed in another order
                        exact = np.asarray(full).astype(np.float64)
                        oracle.close(np.asarray(y), exact, whole, what=what, scale=1.0)
                    else:
                        same_bits(y, full, what)


def _splittable(
    subject: Subject, cases: list[Case], name: str, size: int
) -> Iterator[Case]:
    """The cases in which `name` may be split and is a dim: of `size`, and nothing of 0."""
    op = subject.op
    for case in cases:
        sizes = tuple((n, _sized(s, size if n == name else 0)) for n, s in case.sizes)
        found = replace(case, sizes=sizes)
        if not holds(op, found):
            continue
        values = environment(op, found)
        terms = [
            term
            for tensor in op.inputs
            if values[tensor.name] is not None
            for term in form_in(op, tensor, values, found).terms
        ]
        if name in pick(op.split, values, lambda names, _: names):
            if any(map(partial(_splits, name), terms)):
                yield found


def _sized(size, first: int):
    """A size of a case with `first` (0: any) in front, and nowhere 0."""
    if not isinstance(size, tuple):
        return first or size or 2
    if any(isinstance(each, tuple) for each in size):
        return tuple(_sized(each, first) for each in size)
    return (first, 3) if first else tuple(each or 2 for each in size)


def _splits(name: str, term: Term) -> bool:
    """Whether the dims of `term` go with `name`."""
    return name == term.name if isinstance(term, Group) else name in names_in(term.size)


def _placed(
    subject: Subject, case: Case, inputs: list, name: str, mesh: jax.sharding.Mesh
) -> list:
    """The inputs with the dim `name` (of a group: its first dim) over the mesh."""
    op = subject.op
    values = environment(op, case)

    def place(array: jax.Array, tensor: Tensor, index: int) -> jax.Array:
        spec: list[str | None] = []
        for term in form_in(op, tensor, values, case).terms:
            rank = 1
            if isinstance(term, Group):
                sizes = values[term.name]
                rank = len(sizes[index] if term.each else sizes)
            spec += ["i" if n == 0 and _splits(name, term) else None for n in range(rank)]  # fmt: skip
        return jax.device_put(array, NamedSharding(mesh, PartitionSpec(*spec)))

    return [
        (
            [place(x, tensor, n) for n, x in enumerate(given)]
            if isinstance(given, list)
            else None if given is None else place(given, tensor, 0)
        )
        for tensor, given in zip(op.inputs, inputs, strict=True)
    ]


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
