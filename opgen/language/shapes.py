"""The shape notation: `"*batch heads d"`, `"b+1"`, `"hk*g d"`, `"16 prod(norm)"`, `""`.

A shape is a sequence of terms. A group term `*name` stands for any number of dims, including none.
`*name[i]` stands for the dims of a list's i-th element. Any other term is an integer expression.
"""

from __future__ import annotations

from functools import cache

from opgen.language.expr import Expr, Index, Name, ParseError, names_in, parse_expr, text_of, walk
from opgen.source.cached import cached_property
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Group:
    """A group term `*name`: any number of dims; with `each`, the dims of a list's i-th element."""

    name: str
    each: bool = False

    def __str__(self) -> str:
        return f"*{self.name}[i]" if self.each else f"*{self.name}"


@dataclass(frozen=True, slots=True)
class Dim:
    """A term that is one dim, with its size as an expression."""

    size: Expr

    def __str__(self) -> str:
        return text_of(self.size).replace(" ", "")

    @property
    def name(self) -> str | None:
        """Return the dim's name if its size is a bare name, else None."""
        return self.size.id if isinstance(self.size, Name) else None


Term = Group | Dim


@dataclass(frozen=True)
class Shape:
    """The shape of a tensor: a sequence of terms."""

    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return self.text

    @cached_property
    def text(self) -> str:
        return " ".join(map(str, self.terms))

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        return tuple(t for t in self.terms if isinstance(t, Group))

    @cached_property
    def each(self) -> tuple[str, ...]:
        """Return the names whose value differs between the tensors of a list (`s[i]`, `*s[i]`)."""
        found: dict[str, None] = {}
        for term in self.terms:
            if isinstance(term, Dim):
                for part in walk(term.size):
                    if isinstance(part, Index) and part.index == Name("i"):
                        found.update(dict.fromkeys(names_in(part.value)))
            elif term.each:
                found[term.name] = None
        return tuple(found)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return the names of dims and groups in the shape, in order, each once."""
        found: dict[str, None] = {}
        for term in self.terms:
            if isinstance(term, Group):
                found[term.name] = None
            else:
                found.update(dict.fromkeys(names_in(term.size)))
        return tuple(found)


@cache
def parse_shape(text: str) -> Shape:
    """Parse a shape string. Raises `ParseError`, whose offset counts from the text's start."""
    terms: list[Term] = []
    position = 0
    for word in text.split():
        position = text.index(word, position)
        terms.append(_parse_term(word, position))
        position += len(word)
    return Shape(tuple(terms))


def _parse_term(word: str, position: int) -> Term:
    if word.startswith("*"):
        name = word[1:].removesuffix("[i]")
        if not name.isidentifier():
            raise ParseError(f"`{word}` is no group: a name must follow `*`", position)
        return Group(name, each=word.endswith("[i]"))
    try:
        return Dim(parse_expr(word))
    except ParseError as error:
        raise ParseError(error.message, position + error.offset) from None
