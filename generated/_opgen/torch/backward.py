"""The gradients of a recorded call, computed in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from torch.autograd import forward_ad
from torch.compiler import is_dynamo_compiling

from ..core.kinds import is_list
from .formulas import evaluate
from .kinds import tensors_in
from .rule import Call, Formula, Operand, Rule


class Backward:
    """The computation of the gradients of a recorded call.

    A gradient is None if it is zero or not needed.
    """

    def __init__(self, ctx: Any, cotangents: Sequence[Any]) -> None:
        self.ctx, self.call, self.cotangents = ctx, ctx.call, cotangents
        self.rule: Rule = ctx.call.rule

    def run(self) -> list[Tensor | None]:
        rule, inputs = self.rule, self.call.inputs
        for name in rule.residuals:
            if any(x is not None for x in self.call.results.of(name, self.cotangents)):
                self._refuse_residual()
        self.gradients: list[Tensor | None] = [None] * inputs.size
        if all(x is None for x in self.cotangents):
            return self.gradients
        self.needed = _needed(self.ctx)
        for name, kind in rule.gradients.items():
            if kind == "refused" and self._is_needed(name):
                raise RuntimeError(self._refusal(name))
        self.saved = self.ctx.saved_tensors
        for call in rule.calls:
            self._run_call(call)
        for formula in rule.formulas:
            if self._is_needed(formula.of):
                for operand in formula.operands.values():
                    self._check_tangent(operand)
                first, last, is_list = inputs.places[formula.of]
                self._run_formula(formula, range(first, last), is_list)
        return self.gradients

    def _refusal(self, name: str) -> str:
        if not self.rule.differentiable:
            return f"{self.rule.name} cannot be differentiated: {self.rule.refusal}"
        return (
            f"{self.rule.name} has no gradient with respect to {name}: "
            "its spec says differentiable = false"
        )

    def _refuse_residual(self) -> None:
        raise NotImplementedError(
            f"{self.rule.name}: its gradient reads a residual, and cannot be differentiated"
        )

    def _check_tangent(self, operand: Operand) -> None:
        """Raise NotImplementedError if `operand` is a residual with a tangent."""
        if operand.kind == "result" and operand.name in self.rule.residuals:
            if has_tangent([self._load(operand, None)]):
                self._refuse_residual()

    def _is_needed(self, name: str | None) -> bool:
        return name is not None and any(self.call.inputs.of(name, self.needed))

    def _wanted(self, call: Call | None) -> int:
        """Return an integer in which bit i is set if a backward op must compute its result i."""
        assert call is not None
        return sum(self._is_needed(name) << i for i, name in enumerate(call.gradients))

    def _load(self, operand: Operand, call: Call | None) -> Any:
        kind, word = operand.kind, f"{operand.kind}:{operand.name}"
        if operand.only_for and not operand.only_for & self._wanted(call):
            return None
        if word in self.call.scalars:
            return self.call.scalars[word]
        if kind in ("input", "result"):
            return self.call.saved.value(word, self.saved)
        if kind in ("needed", "wanted"):
            assert call is not None
            asked = [self._is_needed(name) for name in call.gradients]
            return asked if kind == "needed" else self._wanted(call)
        if kind == "constant":
            return operand.value
        return self.call.results.value(operand.name, self._arrived(operand))

    def _arrived(self, operand: Operand) -> Sequence[Any]:
        """Return the cotangents that an operand reads. Missing cotangents are replaced by zeros,
        unless the operand accepts None.
        """
        if operand.kind == "cotangent?":
            return self.cotangents
        like = next(x for x in self.cotangents if x is not None)
        pairs = zip(self.cotangents, self.call.shapes)
        return [
            (
                like.new_zeros(about[0], dtype=about[1], device=about[2])
                if x is None and about is not None
                else x
            )
            for x, about in pairs
        ]

    def _run_call(self, call: Call) -> None:
        if not any(map(self._is_needed, call.gradients)):
            return
        made = call.op(*(self._load(operand, call) for operand in call.operands))
        for name, value in zip(call.gradients, made if isinstance(made, tuple) else (made,)):
            if name is not None and self._is_needed(name) and value is not None:
                first, last, _ = self.call.inputs.places[name]
                self.gradients[first:last] = value if is_list(value) else [value]

    def _run_formula(self, formula: Formula, edges: range, each: bool) -> None:
        """Evaluate a gradient formula. If operands are lists, evaluate it once for each list index.

        A tensor that is not in a list is shared by all indices, so its gradient is the sum over
        them.
        """
        loaded = {word: self._load(operand, None) for word, operand in formula.operands.items()}
        lists = {
            word: value
            for word, value in loaded.items()
            if word not in self.call.scalars and is_list(value)
        }
        count = len(edges) if each else max(map(len, lists.values()), default=1)
        # an empty list means that the argument is absent
        loaded |= {word: None for word, value in lists.items() if not value}
        for n in range(count):
            edge = edges[n if each else 0]
            if each and not self.needed[edge]:
                continue
            value = evaluate(
                formula.program,
                lambda word: _at(loaded[word], n) if word in lists else loaded[word],
            )
            before = self.gradients[edge]
            self.gradients[edge] = value if before is None else before + value


def _at(values: Any, n: int) -> Any:
    return None if values is None else values[n]


def _needed(ctx: Any) -> list[bool]:
    """Return, for each tensor, whether the current backward pass needs its gradient."""
    # Compiled autograd does not report this. Some torch versions lack the function.
    if is_dynamo_compiling() or not hasattr(torch._C, "_will_engine_execute_node"):
        return [*ctx.needs_input_grad[1:]]
    return [node is not None and _is_run(node) for node, _ in ctx.next_functions]


def _is_run(node: Any) -> bool:
    """Return whether autograd runs `node` in the current backward pass."""
    try:
        return torch._C._will_engine_execute_node(node)
    except RuntimeError:  # a leaf whose gradient is requested
        return True


def has_tangent(values: Sequence[Any]) -> bool:
    if getattr(forward_ad, "_current_level", 0) < 0:
        return False
    tensors = (tensor for value in values for tensor in tensors_in(value))
    return any(forward_ad.unpack_dual(x, level=0).tangent is not None for x in tensors)
