"""The byte counts of collectives, of those that DTensor calls and those that FSDP calls."""

from __future__ import annotations

import pytest

from opgen.testing.gloo import everywhere

# Each process sends or receives 6 numbers of f32.
CASES = {
    "all_gather": ("all_gather", 24),
    "all_gather_into_tensor": ("all_gather", 24),
    "all_reduce": ("all_reduce", 24),
    "reduce_scatter_tensor": ("reduce_scatter", 24),
    "broadcast": ("broadcast", 12),  # the sender receives none
    "all_to_all_single": ("all_to_all", 12),
    "functional all_reduce": ("all_reduce", 24),
    "functional reduce_scatter": ("reduce_scatter_tensor", 12),
}


def counted(name: str) -> list[tuple[str, int]]:
    """Return the byte count of one collective of two processes, counted in one of them."""
    import torch
    import torch.distributed as dist
    from torch.distributed import _functional_collectives as functional

    from opgen.testing.torch_collectives import Moved

    x, large = torch.ones(6), torch.ones(12)
    calls = {
        "all_gather": lambda: dist.all_gather([*torch.zeros(2, 6)], x),
        "all_gather_into_tensor": lambda: dist.all_gather_into_tensor(large, x),
        "all_reduce": lambda: dist.all_reduce(x),
        "reduce_scatter_tensor": lambda: dist.reduce_scatter_tensor(x, large),
        "broadcast": lambda: dist.broadcast(x, 0),
        "all_to_all_single": lambda: dist.all_to_all_single(torch.empty(6), x),
        "functional all_reduce": lambda: functional.all_reduce(x, "sum", dist.group.WORLD),
        "functional reduce_scatter": lambda: functional.reduce_scatter_tensor(
            x, "sum", 0, dist.group.WORLD
        ),
    }
    with Moved() as moved:
        calls[name]()
    assert moved.bytes == sum(size for _, size in moved.calls)
    return moved.calls


@pytest.mark.parametrize("name", CASES)
def test_each_kind(name: str):
    assert everywhere(2, counted, name) == [[CASES[name]]] * 2


def gathered() -> tuple[list[float], int]:
    """The numbers of two processes in fp8, which gloo has not."""
    import torch
    import torch.distributed as dist
    from torch.distributed import _functional_collectives as functional

    from opgen.testing.torch_collectives import Moved

    x = torch.full((3,), 0.5 + dist.get_rank()).to(torch.float8_e4m3fn)
    with Moved() as moved:
        found = functional.all_gather_tensor(x, 0, dist.group.WORLD)
    return found.float().tolist(), moved.bytes


def test_fp8_is_sent_as_bytes():
    assert everywhere(2, gathered) == [([0.5] * 3 + [1.5] * 3, 3)] * 2


def unknown() -> str:
    import torch
    import torch.distributed as dist

    from opgen.testing.torch_collectives import Moved

    try:
        with Moved():
            dist.reduce(torch.ones(6), 0)
    except ValueError as error:
        return str(error)
    return ""


def test_a_collective_that_is_not_known_is_not_guessed():
    for said in everywhere(2, unknown):
        assert said == "a collective that is not known: reduce_"
