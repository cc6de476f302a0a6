"""Call every op of `generated` on new inputs, shadowed; print the number of comparisons as JSON.

    python tests/shadow/many_calls.py torch 1000
    python tests/shadow/many_calls.py jax 1000 5000 300  # the first call has seed 5000; for 5 minutes at most

In PyTorch, tensors are contiguous, scattered and transposed in turn; in JAX, programs are jitted.
"""

from __future__ import annotations

import itertools
import json
import logging
import os
import random
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ["OPGEN_SHADOW"] = "*:1"
ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from opgen.testing import cases, load  # noqa: E402
from opgen.testing.arrays import LAYOUTS, flat  # noqa: E402
from opgen.testing.draw import draw, draw_cotangents  # noqa: E402
from opgen.testing.oracle import wide  # noqa: E402

ORDERS = list(LAYOUTS)
PROGRAMS: dict[Any, Any] = {}


def subjects() -> list[Any]:
    """Return the ops with a reference, except backward ops, which autograd calls."""
    test = str(ROOT / "generated" / "tests" / "test_ops.py")
    project = load(test, "relu", package="generated", namespace="generated").project
    called = {call.op for op in project.ops for call in op.backward_calls}
    names = [op.name for op in project.ops if op.reference and op.name not in called]
    return [load(test, name, package="generated", namespace="generated") for name in names]


def with_torch(subject: Any, case: Any) -> None:
    import torch

    from opgen.testing import torch_checks

    arrays = draw(subject.op, case)
    grad = subject.differentiable(case)
    layout = random.Random(case.seed).choice(ORDERS)
    inputs = torch_checks.tensors(subject, arrays, layout=layout, grad=grad)
    results = flat(torch_checks.call(subject, case, inputs))
    if not grad:
        return
    pairs = [
        (y, torch_checks.to_torch(c))
        for y, c in zip(results, flat(draw_cotangents(subject.op, case)))
        if y is not None and y.requires_grad
    ]
    wanted = [x for x in flat(inputs) if x is not None and x.requires_grad]
    if pairs and wanted:
        ys, cotangents = zip(*pairs)
        torch.autograd.grad(ys, wanted, cotangents, allow_unused=True)


def with_jax(subject: Any, case: Any) -> None:
    import jax

    from opgen.testing import jax_checks, oracle
    from opgen.testing.arrays import mapped

    arrays = draw(subject.op, case)
    grad = subject.differentiable(case)
    key = (subject.name, replace(case, seed=0))

    def run(inputs: Any, cotangents: Any) -> Any:
        if not grad:
            return jax_checks.call(subject, case, inputs)
        active = dict.fromkeys(oracle._differentiable(subject, arrays))
        function, given = jax_checks.of_floats(subject, case, inputs, active)
        results, pull = jax.vjp(function, *given.values())
        return results, pull(tuple(cotangents))

    with jax_checks.precision(subject, case):
        cotangents = [c for c in flat(draw_cotangents(subject.op, case)) if _floats(c)]
        program = PROGRAMS.setdefault(key, jax.jit(run))
        jax.block_until_ready(program(mapped(jax.device_put, arrays), cotangents))


def _floats(array: Any) -> bool:
    """Return whether JAX has a cotangent for an array: it has a float or complex dtype."""
    return array is not None and wide(array).dtype.kind in "fc"


def main() -> None:
    framework, count = sys.argv[1], int(sys.argv[2])
    first, seconds = (int(text) for text in (*sys.argv[3:], "0", "0")[:2])
    warned: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: warned.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("generated.shadow").addHandler(handler)
    call = with_torch if framework == "torch" else with_jax
    from generated._opgen.debug import shadow as _shadow

    started = time.monotonic()
    todo = [(s, c) for s in subjects() for c in cases(s.op)]
    for number, (subject, case) in enumerate(itertools.cycle(todo)):
        ended = seconds and time.monotonic() - started > seconds
        if number % 50 == 0 and (ended or sum(_shadow.checked().values()) >= count):
            break
        _shadow._SEEN.clear()  # each wrong result counts
        call(subject, replace(case, seed=first + number))
    if framework == "jax":
        from generated._opgen.debug.jax import flush

        flush()
    print(json.dumps({"checked": _shadow.checked(), "warned": warned}))


if __name__ == "__main__":
    main()
