"""The reading rules. A spec must meet these rules before opgen can lint the spec.

The file reader, the TOML parser and the models report violations. Unlike the rules of `lint/`, the
reading rules cannot be suppressed by a comment in a spec.
"""

from __future__ import annotations

from opgen.source.diagnostics import Diagnostic, Severity, Where
from opgen.source.frozen import dataclass


@dataclass(frozen=True, slots=True)
class ReadingRule:
    """A reading rule. `id` is stable and must never be reused. `opgen explain` prints `doc`."""

    id: str
    name: str
    doc: str
    severity: Severity = Severity.ERROR

    def at(
        self, where: Where, message: str, help: str = "", severity: Severity | None = None
    ) -> Diagnostic:
        """Return a finding of this rule."""
        severity = severity or self.severity
        return Diagnostic(self.id, self.name, message, where, help, severity)


UNREADABLE_FILE = ReadingRule(
    "OG001",
    "unreadable-file",
    """A file is not there, not a file, not UTF-8, or larger than a spec can be.

What it does: reads regular files of at most 1,000,000 bytes, in UTF-8 without a byte order
mark.

Why: that is what TOML is; and a spec is some dozens of lines.

How to fix: save the file as UTF-8; split a spec that holds several families.
""",
)
SYNTAX_ERROR = ReadingRule(
    "OG002",
    "syntax-error",
    """The text is not TOML 1.0.

What it does: parses the file, and refuses what only TOML 1.1 has: inline tables over
several lines or with a trailing comma, `\\e` and `\\x41` in strings, times without seconds.

Why: a spec is read alike by every editor, formatter and parser.

Example:

    inputs.x = { dtype = "T",
                 shape = "*s" }

How to fix: what is long gets a header of its own:

    [ops.relu.inputs.x]
    dtype = "T"
    shape = "*s"
""",
)
UNKNOWN_KEY = ReadingRule(
    "OG010",
    "unknown-key",
    """A key that the language does not have there.

What it does: compares every key with those that its table may have, and those of a tensor
with its role: `update` is for inputs, `init` for outputs and workspace.

Why: a misspelt key would be left out without a word.

Example:

    inputs.x = { dtype = "T", shpe = "*s" }

How to fix: correct the key; the help names the nearest one.
""",
)
WRONG_TYPE = ReadingRule(
    "OG011",
    "wrong-type",
    """A value of another type than its key takes.

Why: nothing is converted behind anyone's back; an expression is written in quotes even where
it is a number.

Example:

    descriptor.n1 = { type = "i32", value = 0 }

How to fix: write a value of the type that the message names: `value = "0"`.
""",
)
WRONG_VALUE = ReadingRule(
    "OG012",
    "wrong-value",
    """A value of the right type that its key does not take.

What it does: holds choices, ranges, names, file names and texts against what they may be.
No text holds control characters, no path is absolute or leads upwards.

Why: all of them end up in Python, C++ or file names.

Example:

    kernels = ["gpu"]

How to fix: as the message says.
""",
)
MISSING_KEY = ReadingRule(
    "OG013",
    "missing-key",
    """A key is missing without which nothing can be read.

Example: a file that does not begin with `spec = 1`.

How to fix: write the key.
""",
)
ILLEGAL_NAME = ReadingRule(
    "OG014",
    "illegal-name",
    """A name that is no identifier.

What it does: names of ops and templates are a lower-case letter and then lower-case
letters, digits and `_`; other names may have upper-case letters too; 64 characters at most.

Why: they become names in Python and C++.

Example:

    [ops.RMSNorm]

How to fix: `[ops.rms_norm]`; the C++ struct will be called `RmsNorm`.
""",
)
BAD_REFERENCE = ReadingRule(
    "OG030",
    "bad-reference",
    """A reference that does not exist, or does not take what it is given.

What it does: reads the Python file that `reference` or a derived dim names, and looks for the
function in it. The file is not run. A reference is called as
`f(xp, *inputs, **attrs)`: its first parameter is `xp`, the inputs follow in the order of the spec,
and every attr is a parameter of its name. Its file imports neither torch nor jax at its top or at
that of a function. A function that computes a size may ask for dims, groups and attrs.

Why: the reference is the oracle of the tests, the fallback, and second derivatives.

Example:

    reference = "rms_norm.py:rms_norm"  # there: def rms_norm(x, weight, eps)

How to fix: `def rms_norm(xp, x, weight, *, eps)`. Put the file next to the spec; correct the
function's name; reorder its parameters, or set `inputs.order`.
""",
)
MISSING_SOURCE = ReadingRule(
    "OG031",
    "missing-source",
    """The file of a kernel in Python does not exist.

What it does: looks for the file that a key such as `pallas` names, below the kernels folder of the
project.

Example:

    kernels      = [{ on = "tpu", pallas = "rms_norm/tpu_rms_norm.py:rms_norm" }]

How to fix: create the file, or correct the path. Paths are relative to `[tool.opgen] kernels`.
""",
)
BAD_TABLE = ReadingRule(
    "OG036",
    "bad-table",
    """A table of `opgen tune` that is damaged, or was measured with something else.

What it does: when a project is rendered, reads `tuned/*.json` beside the folder of its specs. Each
is JSON of the format that this opgen reads, named after its device. Its kernels are those of the
project that have `tune`, with the signature that follows from their values, dtypes and sizes; each
row has a place of its own, and values that the spec lists.

Why: the values of a table become part of the libraries. Those of another kernel would be slow, or
wrong.

Example:

    # where a table was measured with `kib = [128, 512]`, and has 512
    kernels     = [{ on = "cpu", tune = { kib = [128, 256] } }]

How to fix: measure again, with `opgen tune OP` on that device, or take the kernel out of the table:
then its first values hold there.
""",
)
BAD_FRAMEWORK_FILE = ReadingRule(
    "OG038",
    "bad-framework-file",
    """A Python file about one framework that the package cannot hold.

What it does: reads the files next to a spec that are called `<family>_torch.py`, `<family>_jax.py`
or, for a library, `<family>_jax_nnx.py`. They are not run. `__all__` lists names that the file
defines; no op and no other file has them. The file imports ops by the name of the package. It has
no relative imports.

Why: the package holds a copy of the file, and offers its names.

Example:

    # rms_norm_torch.py
    from generated.torch import rmsnorm

How to fix: `from generated.torch import rms_norm`, and `__all__ = ["RMSNorm"]`.
""",
)
BAD_FILE_NAME = ReadingRule(
    "OG032",
    "bad-file-name",
    """A spec file whose name cannot be a family's.

What it does: checks that file names, without `.toml`, are
lower-case letters, digits and `_`, that no two specs have the same, and that none is a header
of the C library.

Why: the rendered files of a family carry its name; a `math.h` would hide the
system's.

Example: `specs/rms-norm.toml`, or `norms/relu.toml` beside `acts/relu.toml`.

How to fix: rename the file.
""",
)
CONFIGURATION = ReadingRule(
    "OG020",
    "configuration",
    """A value of `[tool.opgen]` in pyproject.toml that cannot be used.

What it does: folders are below that of pyproject.toml; `package` is a Python package's
name, `namespace` a lower-case identifier that no framework has taken; `targets` and
`cuda_archs` and `hip_archs` are lists of strings; `runtime` is "vendored" or "package".

Example:

    [tool.opgen]
    out = "../generated"

How to fix: as the message says.
""",
)

READING_RULES = (
    UNREADABLE_FILE,
    SYNTAX_ERROR,
    UNKNOWN_KEY,
    WRONG_TYPE,
    WRONG_VALUE,
    MISSING_KEY,
    ILLEGAL_NAME,
    CONFIGURATION,
    BAD_REFERENCE,
    MISSING_SOURCE,
    BAD_FILE_NAME,
    BAD_TABLE,
    BAD_FRAMEWORK_FILE,
)
