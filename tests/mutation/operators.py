"""Small changes in a Python module, like typical mistakes; each mutant has one change.

Code that no test can check is not changed: annotations, docstrings, decorators, assertions,
`__all__`, and unions of types.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
FUNCTIONS = {"any": "all", "all": "any", "min": "max", "max": "min"}
SKIPPED = (ast.Assert, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)
UNSEEN = ("annotation", "returns", "decorator_list", "type_comment")


@dataclass(frozen=True)
class Mutant:
    """One change of a syntax tree: `holder.field`, or one item in it, is replaced by `new`.

    `function` is the outermost function around the change; None if it runs at import.
    """

    name: str
    line: int
    function: str | None
    holder: ast.AST
    field: str
    index: int | None
    new: Any

    @contextmanager
    def planted(self) -> Iterator[None]:
        old = getattr(self.holder, self.field)
        if self.index is None:
            changed = self.new
        else:
            item = [] if self.new is None else [self.new]
            changed = [*old[: self.index], *item, *old[self.index + 1 :]]
        setattr(self.holder, self.field, changed)
        yield
        setattr(self.holder, self.field, old)


def mutants(tree: ast.Module) -> Iterator[Mutant]:
    """Yield all mutants of a module, each with a unique name."""
    seen: Counter[str] = Counter()
    for place, function, holder, field, index, new in _below(tree, (), None):
        node = getattr(holder, field)
        node = node if index is None else node[index]
        after = "nothing" if new is None else _text(new)
        name = f"{'.'.join(place) or 'module'}: {_text(node)} -> {after}"
        seen[name] += 1
        name += f" #{seen[name]}" if seen[name] > 1 else ""
        line = getattr(node, "lineno", getattr(holder, "lineno", 0))
        yield Mutant(name, line, function, holder, field, index, new)


def _text(node: ast.AST) -> str:
    match node:
        case ast.If(test=test) | ast.While(test=test):
            text = f"{type(node).__name__.lower()} {ast.unparse(test)}"
        case ast.match_case(pattern=pattern, guard=guard):
            text = f"case {ast.unparse(pattern)}" + (f" if {ast.unparse(guard)}" if guard else "")
        case ast.Pass():
            return "nothing"
        case _:
            text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 70 else f"{text[:50]} ... {text[-15:]}"


Found = tuple[tuple[str, ...], str | None, ast.AST, str, int | None, Any]


def _below(node: ast.AST, place: tuple[str, ...], function: str | None) -> Iterator[Found]:
    """Yield possible changes below `node`, with the names of the classes and functions around."""
    for field, value in ast.iter_fields(node):
        if field in UNSEEN:
            continue
        items = enumerate(value) if isinstance(value, list) else ((None, value),)
        for index, child in items:
            if not isinstance(child, ast.AST) or _is_skipped(node, field, index, child):
                continue
            within, outer = place, function
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                within = (*place, child.name)
            if isinstance(node, ast.FunctionDef) and field == "body" and function is None:
                outer = ".".join(place)
            for new in _changes(child, outer is None):
                yield within, outer, node, field, index, new
            if isinstance(child, ast.match_case) and len(value) > 1:
                yield within, outer, node, field, index, None
            yield from _below(child, within, outer)


def _is_skipped(holder: ast.AST, field: str, index: int | None, node: ast.AST) -> bool:
    if isinstance(node, SKIPPED):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True  # a docstring, `...`
    names = [t.id for t in getattr(node, "targets", []) if isinstance(t, ast.Name)]
    return names == ["__all__"]


def _changes(node: ast.AST, of_module: bool) -> Iterator[Any]:
    """Yield possible replacements of `node`; None in a list means its removal."""
    match node:
        case ast.Constant(value=bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(value=int() | float() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(value=str() as value):
            yield ast.Constant(f"XX{value}XX" if value else "XX")
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.BoolOp(op=op, values=values):
            for n in range(len(values)):
                rest = [*values[:n], *values[n + 1 :]]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for n, each in enumerate(ops):
                for other in COMPARISONS[type(each)]:
                    yield ast.Compare(left, [*ops[:n], other(), *ops[n + 1 :]], comparators)
        case ast.BinOp(op=ast.BitOr()) if of_module:
            return  # a union of types
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(op)](), right)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield body
            yield orelse
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in FUNCTIONS:
            yield ast.Call(ast.Name(FUNCTIONS[name], ast.Load()), args, keywords)
        case ast.Call(func=func, args=args, keywords=keywords) if keywords:
            for n in range(len(keywords)):
                yield ast.Call(func, args, [*keywords[:n], *keywords[n + 1 :]])
        case ast.Dict(keys=keys, values=values):
            for n in range(len(keys)):
                yield ast.Dict([*keys[:n], *keys[n + 1 :]], [*values[:n], *values[n + 1 :]])
        case ast.Tuple(elts=elts, ctx=ast.Load()) if len(elts) > 1:
            if any(isinstance(e, ast.Starred) for e in elts):
                for n in range(len(elts)):
                    yield ast.Tuple([*elts[:n], *elts[n + 1 :]], ast.Load())
        case ast.comprehension(target=target, iter=iter_, ifs=ifs):
            for n in range(len(ifs)):
                yield ast.comprehension(target, iter_, [*ifs[:n], *ifs[n + 1 :]], 0)
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Constant):
            yield _with(node, test=ast.Constant(False))
            if isinstance(node, ast.If):
                yield _with(node, test=ast.Constant(True))
        case ast.Return(value=ast.expr() as value) if not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.YieldFrom() | ast.Yield()) | ast.AugAssign():
            yield ast.Pass()
            if isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
                yield ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
        case ast.Continue():
            yield ast.Break()
        case ast.Break():
            yield ast.Continue()
        case ast.match_case(pattern=pattern, guard=ast.expr(), body=body):
            yield ast.match_case(pattern, None, body)
        case ast.MatchOr(patterns=patterns):
            for n in range(len(patterns)):
                rest = [*patterns[:n], *patterns[n + 1 :]]
                yield rest[0] if len(rest) == 1 else ast.MatchOr(rest)


def _with(node: ast.stmt, **fields: Any) -> ast.stmt:
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
