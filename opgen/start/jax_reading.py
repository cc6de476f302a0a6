"""Read FFI calls and sharding rules from traced JAX functions, and names from their sources."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any


def targets(jaxpr: Any) -> dict[str, list[str]]:
    """Return the names of the attributes of each FFI target that a jaxpr calls."""
    return {
        str(eqn.params["target_name"]): sorted(dict(eqn.params["attributes"]))
        for eqn in _ffi_calls(jaxpr)
    }


def aliases(jaxpr: Any) -> set[int]:
    """Return the positions of the arguments whose memory an FFI call uses for a result."""
    calls = [(eqn, eqn.params["input_output_aliases"]) for eqn in _ffi_calls(jaxpr)]
    used = {id(eqn.invars[taken]) for eqn, pairs in calls for taken, _ in pairs}
    return {n for n, variable in enumerate(jaxpr.invars) if id(variable) in used}


def sharding_rule(jaxpr: Any) -> Any:
    """Return the first sharding rule in a jaxpr, or None."""
    rules = (eqn.params.get("sharding_rule") for eqn in _equations(jaxpr))
    return next((rule for rule in rules if hasattr(rule, "operand_mappings")), None)


def _ffi_calls(jaxpr: Any) -> Iterator[Any]:
    return (eqn for eqn in _equations(jaxpr) if "target_name" in eqn.params)


def _equations(jaxpr: Any) -> Iterator[Any]:
    """Yield the equations of a jaxpr and of all jaxprs inside it."""
    for eqn in jaxpr.eqns:
        yield eqn
        for value in eqn.params.values():
            inner = getattr(value, "jaxpr", value)
            if hasattr(inner, "eqns"):
                yield from _equations(inner)


def shapes_of(rule: Any) -> dict[str, Any] | None:
    """Return the shapes of a sharding rule, and the factors that may be split."""
    if not hasattr(rule, "operand_mappings"):
        return None

    def group(factor: str) -> str:
        return "batch" if factor == "…0" else f"batch{factor[1:]}"

    def shape(mapping: Sequence[Any]) -> str:
        terms = []
        for each in mapping:
            if isinstance(each, str):
                terms.append(f"*{group(each)}" if each.startswith("…") else each)
            else:
                terms.append("*".join(each))
        return " ".join(terms)

    results = [[*map(str, each)] for each in rule.result_mappings]
    barred = {*rule.need_replication_factors, *rule.permutation_factors}
    names = [n for n in results[0] if n.isidentifier() and n not in barred] if results else []
    whole = [group(n) for n in (results[0] if results else ()) if n.startswith("…")]
    return {
        "inputs": [shape(each) for each in rule.operand_mappings],
        "outputs": [shape(each) for each in rule.result_mappings],
        "split": [*whole, *(n for n in names if all(n in each for each in results))],
    }


def kept_names(fwd: Any) -> list[str]:
    """Return the residuals' names in a `fwd` such as `return y, (x, rstd)`: `x` and `rstd`."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(fwd)))
    except (OSError, TypeError, SyntaxError):
        return []
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple):
            kept = node.value.elts[-1]
            parts = kept.elts if isinstance(kept, (ast.Tuple, ast.List)) else [kept]
            return [part.id if isinstance(part, ast.Name) else "" for part in parts]
    return []
