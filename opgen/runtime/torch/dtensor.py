"""How the ops run on the shards of DTensors. Rendered by opgen.

Imported with DTensor itself.
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

from .call import CALLS
from .problem import FACTS, Facts, Problem
from .running import run
from .splitting import Way, ways


def register(op: torch._ops.OpOverload, **facts: Any) -> None:
    """Tell DTensor which dims of `op` may be split.

    `inputs` and `results` give the shape of every tensor by the names of its dims, `split`
    the names that may be split, and `reduce` how what is written is reduced over a split
    dim that it lacks. `stages` names the ops that compute it together where a dim is split
    that its kernel needs whole, `begins` the inputs that say where a dim begins.
    """
    call = CALLS[op._schema.name.partition("::")[2]]
    known = FACTS[call.name] = Facts(call, **facts)
    # Of the attrs only ints would be part of the key under which a decision is kept: a
    # call with another attr would be given the shape of an earlier one.
    info = RuntimeSchemaInfo(static_argnum=len(known.inputs), needs_pytree=True)
    dispatcher = DTensor._op_dispatcher
    choices = partial(_strategy, known)
    dispatcher.sharding_propagator.register_op_strategy(op, choices, info)
    if _is_more(known):
        handlers: dict[Any, Any] = dispatcher._custom_op_handlers
        handlers[op] = run


def _is_more(facts: Facts) -> bool:
    """Whether shards are not computed just as the whole is, and left to DTensor."""
    kinds = {how for each in facts.reduce.values() for how in each.values()}
    sizes = {*facts.call.defaults} - {*facts.inputs}
    split = facts.split
    names = sizes if callable(split) else sizes & {*split}
    return bool(facts.stages or facts.begins or names or kinds - {"sum", "same", "local"})


def _strategy(facts: Facts, schema: OpSchema) -> OpStrategy:
    """Every way to split a call, and what it costs. DTensor takes the cheapest."""
    given = facts.call.bind([_given(each) for each in schema.args_schema])
    problem = Problem.of(facts, given, schema.get_mesh_from_args())
    found = [_choice(problem, way) for way in ways(problem)]
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


def _choice(problem: Problem, way: Way) -> OpSpec:
    """A way to split the call, as DTensor knows it."""
    inputs = [
        DTensorSpec(problem.mesh, placements, tensor_meta=spec.tensor_meta)
        for name, own in problem.placed.items()
        for spec, placements in zip(own, way.inputs[name])
    ]
    found = (way.results.get(name) for name in problem.facts.results)
    outputs: Any = tuple(each and DTensorSpec(problem.mesh, each) for each in found)
    output = outputs if len(outputs) > 1 else outputs[0] if outputs else None
    # DTensor adds up what it costs to bring each input there.
    costs = [[way.cost if n == 0 else 0.0] for n in range(len(inputs))]
    return OpSpec(output, inputs, costs)
