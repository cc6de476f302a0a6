"""Run ops on the shards of DTensors.

The module `sharding` imports this module when DTensor itself is imported.
"""

from __future__ import annotations

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

from .call import Call
from .problem import Problem, call_of
from .running import run
from .shards import runs_shards
from .splitting import Way, ways


def register(op: torch._ops.OpOverload) -> None:
    """Register `op` with DTensor, so that DTensor can split its calls."""
    call = call_of(op)
    # By default, DTensor's cache keys include only int attrs. Then a call with another attr would
    # get the result shapes of an earlier call.
    info = RuntimeSchemaInfo(static_argnum=len(call.inputs), needs_pytree=True)
    dispatcher = DTensor._op_dispatcher
    choices = partial(_strategy, call)
    dispatcher.sharding_propagator.register_op_strategy(op, choices, info)
    if runs_shards(call):
        handlers: dict[Any, Any] = dispatcher._custom_op_handlers
        handlers[op] = run


def _strategy(call: Call, schema: OpSchema) -> OpStrategy:
    """Return every way to split a call, with its cost. DTensor selects the cheapest way."""
    given = call.bind([_given(each) for each in schema.args_schema])
    problem = Problem.of(call, given, schema.get_mesh_from_args())
    found = [_choice(problem, way) for way in ways(problem)]
    if not found:
        names = ", ".join(call.updated)
        raise NotImplementedError(f"{call.name}: {names}: cannot be updated as they are split")
    return OpStrategy(found)


def _given(argument: Any) -> Any:
    """Return the placements of an argument that is a tensor. Other arguments are unchanged."""
    if isinstance(argument, OpStrategy):
        return argument.strategies[0].output_spec
    if isinstance(argument, TupleStrategy):
        return [_given(each) for each in argument.children]
    return argument


def _choice(problem: Problem, way: Way) -> OpSpec:
    """Convert a way to split the call to the object that DTensor expects."""
    inputs = [
        DTensorSpec(problem.mesh, placements, tensor_meta=spec.tensor_meta)
        for name, own in problem.placed.items()
        for spec, placements in zip(own, way.inputs[name])
    ]
    found = (way.results.get(each.name) for each in problem.facts.results)
    outputs: Any = tuple(each and DTensorSpec(problem.mesh, each) for each in found)
    output = outputs if len(outputs) > 1 else outputs[0] if outputs else None
    # DTensor adds up the costs of redistributing each input.
    costs = [[way.cost if n == 0 else 0.0] for n in range(len(inputs))]
    return OpSpec(output, inputs, costs)
