"""A shape contains a text that is not a term.

This rule parses every shape. Its terms are names, numbers, groups `*name`, and expressions
without blanks. Blanks separate the terms.

Why: opgen renders every wrapper, fake kernel and sharding rule from the shapes.

Example:

    inputs.x = { dtype = "T", shape = "*batch, d" }

How to fix: separate terms by blanks only, and write expressions without blanks: `2*d`, `b+1`.
"""

from functools import cache

from opgen.language.expr import Const, ParseError
from opgen.language.shapes import Dim, parse_shape
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.lint.rules.unknown_function import unknown_calls

RULE = Rule("OG106", "bad-shape", Stage.STRUCTURE, on=("op", "remains"))


def check(op: OpContext) -> Findings:
    for tensor in op.spec.tensors.values():
        listed = [text for below, text in tensor.texts if isinstance(below[-1], int)]
        if len(listed) > 1 and all(map(str.isidentifier, listed)):
            message = "a list holds alternative shapes, and these have one dim each"
            help_ = f'one shape is one string: `shape = "{" ".join(listed)}"`'
            yield RULE.at(op.at((*tensor.path, "shape")), message, help_)
            continue
        for below, text in tensor.texts:
            found = _problem(text)
            if found is not None:
                start, end, message, help_ = found
                where = op.at((*tensor.path, *below), "value", start, end)
                yield RULE.at(where, message, help_)


_BLANKS = "terms are separated by blanks: `*batch h w`"


@cache
def _problem(text: str) -> tuple[int, int, str, str] | None:
    position = 0
    for word in text.split():
        position = text.index(word, position)
        end = position + len(word)
        try:
            terms = parse_shape(word).terms
        except ParseError as error:
            if word.startswith("*"):
                help_ = _BLANKS if "," in word else "write `*batch`"
                return position, end, f"`{word}` is no group: a name follows `*`", help_
            if not unknown_calls(word):
                help_ = _BLANKS if "," in word or text[:1] in "([" else ""
                if text[:1] not in "([" and word.count("(") != word.count(")"):
                    help_ = "a term holds no blanks: `ceildiv(n,64)`"
                if word == "...":
                    help_ = "name the dims that it stands for: `*batch`"
                start = min(position + error.offset, end - 1)
                return start, end, f"`{word}` is no dim: {error.message}", help_
        else:
            size = terms[0].size if isinstance(terms[0], Dim) else None
            if isinstance(size, Const) and (type(size.value) is not int or size.value < 0):
                return position, end, f"`{word}` is no size", "a size is 0 or more"
        position = end
    return None
