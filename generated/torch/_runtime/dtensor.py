"""How the ops run on the shards of DTensors. Rendered by opgen.

Imported with DTensor itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from torch.distributed.tensor import DTensor
from torch.distributed.tensor._dtensor_spec import DTensorSpec
from torch.distributed.tensor._op_schema import (
    OpSchema,
    OpSpec,
    OpStrategy,
    RuntimeSchemaInfo,
    TupleStrategy,
)
from torch.distributed.tensor._ops.utils import generate_redistribute_costs

from .call import CALLS
from .means import run_with_means
from .splitting import Facts, Form, Problem, Way, ways


def register(
    op: torch._ops.OpOverload,
    *,
    split: Sequence[str] | Callable[..., Sequence[str]],
    inputs: Mapping[str, Form],
    results: Mapping[str, Form],
    reduce: Mapping[str, Mapping[str, Form]] = {},
    weights: Mapping[str, str] = {},
) -> None:
    """Tell DTensor which dims of `op` may be split.

    `inputs` and `results` give the shape of every tensor by the names of its dims,
    `reduce` how what is written is reduced over a split dim that it lacks, `weights` the
    results that a mean is weighted by.
    """
    call = CALLS[op._schema.name.partition("::")[2]]
    facts = Facts(call, split, inputs, results, reduce)
    # Of the attrs only ints would be part of the key under which a decision is kept: a
    # call with another attr would be given the shape of an earlier one.
    info = RuntimeSchemaInfo(static_argnum=len(inputs), needs_pytree=True)
    dispatcher = DTensor._op_dispatcher
    choices = partial(_strategy, facts)
    dispatcher.sharding_propagator.register_op_strategy(op, choices, info)
    if weights:
        places = [*results]
        pairs = {places.index(n): places.index(w) for n, w in weights.items()}
        dispatcher._custom_op_handlers[op] = partial(run_with_means, pairs)


def _strategy(facts: Facts, schema: OpSchema) -> OpStrategy:
    """Every way to split a call, and what it costs to bring the inputs there.

    DTensor takes the cheapest. The costs are its own, of the bytes that each input has.
    """
    given = [_given(each) for each in schema.args_schema]
    problem = Problem.of(facts, given, schema.get_mesh_from_args())
    found = [_choice(problem, way, schema) for way in ways(problem)]
    if not found:
        names = ", ".join(facts.call.updated)
        raise NotImplementedError(
            f"{facts.call.name}: {names}: cannot be updated as they are split"
        )
    return OpStrategy(found)


def _given(argument: Any) -> Any:
    """How an argument is placed; one that is no tensor as it is."""
    if isinstance(argument, OpStrategy):
        return argument.strategies[0].output_spec
    if isinstance(argument, TupleStrategy):
        return [_given(each) for each in argument.children]
    return argument


def _choice(problem: Problem, way: Way, schema: OpSchema) -> OpSpec:
    """A way to split the call, as DTensor knows it."""
    inputs = [
        DTensorSpec(problem.mesh, placements, tensor_meta=spec.tensor_meta)
        for name, own in problem.placed.items()
        for spec, placements in zip(own, way.inputs[name])
    ]
    found = (way.results.get(name) for name in problem.facts.results)
    outputs = tuple(each and DTensorSpec(problem.mesh, each[0]) for each in found)
    pairs = zip(schema.args_strategy, inputs, strict=True)
    costs = [generate_redistribute_costs(given, spec) for given, spec in pairs]
    output = outputs if len(outputs) > 1 else outputs[0] if outputs else None
    return OpSpec(output, inputs, costs)
