"""The draft of a spec: facts from an op's signature, and guesses for everything else."""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from opgen.language.dtypes import DTYPES
from opgen.language.scope import RESERVED
from opgen.lint.rules.keyword_name import MODULES, PARAMETERS
from opgen.source.frozen import dataclass
from opgen.spec.config import Config
from opgen.start.op import TEMPLATES, StartError
from opgen.targets import environment

NOTHING = object()
# The guess about an argument that accepts any kind of number.
NUMBER = "an int may be passed too"
# Common names of tensors that a function fills if it returns nothing.
FILLED = re.compile(r"(?:out|output|result|y|dst)\d*")
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Variable:
    """The possible dtypes of a dtype variable. If they are a guess, `guess` describes the guess."""

    dtypes: Sequence[str] = ("f32", "bf16", "f16", "f64")
    guess: str = "those that the kernel takes"


@dataclass(frozen=True)
class Tensor:
    """A tensor among the arguments or results of an op.

    If `shape` is None, the draft allows any shape. The shape is a guess unless `known` is True.
    `guess` lists the other guesses.
    """

    name: str
    dtype: str = "T"
    shape: str | None = None
    guess: str = ""
    optional: bool = False
    update: bool = False
    list: bool = False
    known: bool = False

    def of_dtype(self, dtype: str) -> Tensor:
        """Return the tensor with a known dtype."""
        guess = ", ".join(g for g in self.guess.split(", ") if g != "its dtype")
        return replace(self, dtype=dtype, guess=guess)


@dataclass(frozen=True)
class Attr:
    name: str
    type: str
    default: Any = NOTHING
    optional: bool = False
    guess: str = ""


@dataclass(frozen=True)
class Draft:
    """Everything that is known or guessed about an op. In the comments, "its" refers to the op."""

    # Its name in the source, and the text that identifies the source.
    name: str
    source: str
    # Its arguments and results.
    inputs: Sequence[Tensor]
    attrs: Sequence[Attr]
    outputs: Sequence[Tensor]
    # The function that it replaces.
    replaces: str = ""
    # The platform of its kernel.
    platform: str = "cpu"
    # Remarks for the author.
    notes: Sequence[str] = field(default=())
    # The types of parameters that no spec can express.
    left_out: Mapping[str, str] = field(default_factory=dict)
    # Other overloads of the op, for which no draft is made.
    others: Sequence[str] = ()
    # The results that share memory with inputs.
    views: str = ""
    # Its dtype variables, and its samples.
    dtypes: Mapping[str, Variable] = field(default_factory=dict)
    samples: Sequence[str] = ()
    # True if its results may have gradients.
    differentiable: bool = True
    # The old names of arguments that have a different name in the spec.
    old: Mapping[str, str] = field(default_factory=dict)
    # The schema registered for PyTorch callers, and whether they pass the memory of outputs.
    schema: str = ""
    out: bool = False
    # The description of the computation, and the conditions that calls must meet.
    doc: str = ""
    require: Sequence[str] = ()
    # The code of its reference, if it has one. A backward without a reference uses its forward's.
    code: str = ""
    referenced: bool = True
    # The tensors that the kernel saves for the backward, and the name of the backward.
    residuals: Sequence[Tensor] = ()
    backward: str = ""
    # The dims that may be split over devices, if its source lists them.
    split: Sequence[str] | None = None

    @property
    def remarks(self) -> Iterator[str]:
        """Yield remarks for the author, which become comments in the spec."""
        yield from self.notes
        if self.views:
            yield f"Left out: {self.views} of what it takes."
        yield from (f"Left out: `{name}`, {type_}." for name, type_ in self.left_out.items())
        if self.others:
            yield f"{overloads(self.name, self.others)}:"
            yield from (f"    {other}" for other in self.others)

    @property
    def grad_guess(self) -> str:
        """Return the mark of a gradient that is drafted as that of the reference."""
        return _marked("rather than formulas or a backward op" * self.differentiable)

    @property
    def op(self) -> str:
        """Return the op's name in the style of specs: `RMSNorm` becomes `rms_norm`."""
        last = self.name.rpartition("::")[2].partition(".")[0].lstrip("_")
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", last)
        return re.sub(r"\W|__+", "_", words).lower()

    @property
    def variables(self) -> dict[str, Variable]:
        """Return the dtype variables of the draft's tensors."""
        tensors = (*self.ordered, *self.outputs, *self.residuals)
        found = [t.dtype for t in tensors if t.dtype[:1].isupper()]
        return {name: self.dtypes.get(name, Variable()) for name in found}

    def text(self, value: Any) -> str:
        """Return a string, or a list of values, in TOML syntax."""
        return json.dumps(value if isinstance(value, str) else [*value], ensure_ascii=False)

    @property
    def shim(self) -> str:
        """Return the spec's value of `torch.replaces`, which lets callers use the old schema."""
        args = ", ".join(f'{new} = "{old}"' for new, old in self.old.items())
        return f'{{ schema = {json.dumps(self.schema)}{f", args = {{ {args} }}" if args else ""} }}'

    @property
    def ordered(self) -> list[Tensor]:
        """Return the inputs, with optional inputs last."""
        return sorted(self.inputs, key=lambda tensor: tensor.optional)

    @property
    def parameters(self) -> str:
        names = [tensor.name for tensor in self.ordered]
        names += ["*", *(attr.name for attr in self.attrs)] if self.attrs else []
        return ", ".join(names)

    @property
    def lines(self) -> Iterator[str]:
        """Yield the lines of the spec that declare the inputs, attrs, outputs and residuals."""
        alone = all(tensor.list for tensor in self.inputs)
        group, count = self._unused("s", "batch", "size_"), self._unused("k", "count", "length_")
        for kind, tensors in (
            ("inputs", self.ordered),
            ("outputs", self.outputs),
            ("residuals", self.residuals),
        ):
            for tensor in tensors:
                shape = f"*{group}" if tensor.shape is None else tensor.shape
                if alone and tensor.shape is None:
                    shape = f"*{group}[i]" if tensor.list else ""
                keys = [f'dtype = "{tensor.dtype}"', f'shape = "{shape}"']
                keys += [f'list = "{count}"'] if tensor.list else []
                keys += ["optional = true"] if tensor.optional else []
                keys += ["update = true"] if tensor.update else []
                guess = ", ".join(filter(None, ("" if tensor.known else "its shape", tensor.guess)))
                name = f"{kind}.{tensor.name}"
                yield f"{name:14} = {{ {', '.join(keys)} }}{_marked(guess)}"
            if kind == "inputs":
                yield from map(_attr, self.attrs)

    def _unused(self, *names: str) -> str:
        """Return the first of `names` that is not the name of a tensor or attr of the draft."""
        taken = {t.name for t in (*self.inputs, *self.outputs)} | {a.name for a in self.attrs}
        return next(name for name in names if name not in taken)


def _attr(attr: Attr) -> str:
    keys = [f'type = "{attr.type}"']
    if attr.optional:
        keys.append("optional = true")
    elif attr.default is not NOTHING:
        keys.append(f"default = {json.dumps(attr.default)}")
    if attr.type == "dtype":
        keys.append(f"choices = {json.dumps(Variable().dtypes)}")
    return f"{f'attrs.{attr.name}':14} = {{ {', '.join(keys)} }}{_marked(attr.guess)}"


def _marked(guess: str) -> str:
    return f"  # guess: {guess}" if guess else ""


def overloads(name: str, others: Sequence[str]) -> str:
    return f"`{name}` is drafted from one of its {len(others) + 1} overloads; not drafted"


def renamed(draft: Draft) -> Draft:
    """Return the draft with valid names for a spec. The draft has a note about each changed name."""
    tensors, attrs = [*draft.inputs, *draft.outputs], draft.attrs
    taken = {each.name for each in tensors} | {attr.name for attr in attrs}
    taken |= {dim for each in tensors for dim in _WORD.findall(each.shape or "")}
    new: dict[str, str] = {}
    for old in sorted(taken):
        name = re.sub("__+", "_", old.lstrip("_")) or "x"
        if name[0].isdigit():
            name = f"x{name}"
        if not is_free(name):
            name = "x" if name == "self" else f"{name}_"
        while name != old and name in taken:
            name += "_in"
        taken.add(name)
        if name != old:
            new[old] = name

    def tensor(each: Tensor) -> Tensor:
        shape = each.shape and _WORD.sub(lambda word: new.get(word[0], word[0]), each.shape)
        return replace(each, name=new.get(each.name, each.name), shape=shape)

    return replace(
        draft,
        inputs=[*map(tensor, draft.inputs)],
        outputs=[*map(tensor, draft.outputs)],
        attrs=[replace(each, name=new.get(each.name, each.name)) for each in attrs],
        notes=[*draft.notes, *(f"`{old}` there is `{name}` here." for old, name in new.items())],
        old={
            **{key: value for key, value in draft.old.items() if key not in new},
            **{name: draft.old.get(old, old) for old, name in new.items()},
        },
    )


def _one_there(draft: Draft) -> Draft:
    """Make the first input required, if the op has outputs but only optional inputs.

    The shapes of the outputs depend on an input, which must always be present.
    """
    first, *others = draft.inputs
    if not draft.outputs or not all(tensor.optional for tensor in draft.inputs):
        return draft
    guess = ", ".join(filter(None, [first.guess, "that it is always there"]))
    return replace(draft, inputs=[replace(first, optional=False, guess=guess), *others])


def _bound(draft: Draft) -> Draft:
    """Return the draft with a known dtype for each output.

    If no input has an output's dtype variable, the output gets the first input's dtype as a guess.
    """
    known = {each.dtype for each in draft.inputs}

    def bound(each: Tensor) -> Tensor:
        if each.dtype in known or each.dtype in DTYPES:
            return each
        more = "" if "its dtype" in each.guess else f"its dtype ({each.dtype})"
        guess = ", ".join(filter(None, (each.guess, more)))
        return replace(each, dtype=draft.ordered[0].dtype, guess=guess)

    return replace(draft, outputs=[*map(bound, draft.outputs)])


def is_free(name: str) -> bool:
    """Return True if an argument of an op may have this name."""
    taken = name in PARAMETERS or name in RESERVED or name in DTYPES
    return not taken and not keyword.iskeyword(name)


def _problem(draft: Draft) -> str | None:
    """Return the reason why no spec can be drafted, or None if a spec can be drafted."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", draft.op):
        return f"`{draft.name}` gives no name for an op: rename it there"
    if draft.op in MODULES:
        return f"an op cannot be called `{draft.op}`: rename it there"
    if not draft.inputs:
        return f"`{draft.name}` takes no tensor: an op takes at least one"
    if any(t.list for t in draft.outputs) and not any(t.list for t in draft.inputs):
        return (
            f"`{draft.name}` gives a list of tensors, and takes no list that says how many: "
            "an op gives a number of tensors that is known"
        )
    if draft.outputs or any(tensor.update for tensor in draft.inputs):
        return None
    if draft.views:
        return (
            f"`{draft.name}` gives {draft.views} of what it takes: an op gives tensors of its own"
        )
    return f"`{draft.name}` gives no tensor, and updates none"


def draft_files(config: Config, draft: Draft) -> dict[Path, str]:
    """Return the texts of the spec and the reference, by path. Raises `StartError`."""
    if (problem := _problem(draft)) is not None:
        names = ", ".join(f"`{other}`" for other in draft.others)
        raise StartError(problem + (f". Its other overloads are {names}" if names else ""))
    draft = renamed(_bound(_one_there(draft)))
    templates = environment(TEMPLATES)
    return {
        config.specs_dir
        / f"{draft.op}{suffix}": templates.get_template(f"draft{suffix}.j2").render(draft=draft)
        for suffix in ((".py", ".toml") if draft.referenced else (".toml",))
    }
