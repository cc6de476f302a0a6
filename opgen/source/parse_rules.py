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
    """A spec does not exist, is not a regular file, is not UTF-8, or is too large.

This rule allows regular files of at most 1,000,000 bytes, in UTF-8 without a byte order mark.

Why: TOML files are UTF-8. A spec has some dozens of lines.

How to fix: save the file as UTF-8. Split a spec that describes several families.
""",
)
SYNTAX_ERROR = ReadingRule(
    "OG002",
    "syntax-error",
    """The text is not TOML 1.0.

This rule rejects syntax errors, and syntax that only TOML 1.1 has: inline tables over several
lines or with a trailing comma, `\\e` and `\\x41` in strings, and times without seconds.

Why: every editor, formatter and parser must read a spec in the same way.

Example:

    inputs.x = { dtype = "T",
                 shape = "*s" }

How to fix: give a long table its own header:

    [ops.relu.inputs.x]
    dtype = "T"
    shape = "*s"
""",
)
UNKNOWN_KEY = ReadingRule(
    "OG010",
    "unknown-key",
    """A table has a key that the language does not have in this table.

This rule compares each key with the keys that its table may have. The keys of a tensor depend on
its role: inputs may have `update`, and outputs and workspace may have `init`.

Why: otherwise opgen would silently ignore a misspelt key.

Example:

    inputs.x = { dtype = "T", shpe = "*s" }

How to fix: correct the key. The help names the most similar key.
""",
)
WRONG_TYPE = ReadingRule(
    "OG011",
    "wrong-type",
    """A value has the wrong type for its key.

Why: opgen never converts a value silently. An expression needs quotes, even if it is a number.

Example:

    descriptor.n1 = { type = "i32", value = 0 }

How to fix: write a value of the type that the message names: `value = "0"`.
""",
)
WRONG_VALUE = ReadingRule(
    "OG012",
    "wrong-value",
    """A value has the right type, but its key does not allow it.

This rule checks choices, ranges, names, file names and texts. A text must not contain control
characters. A path must not be absolute, and must not contain `..`.

Why: these values become Python code, C++ code or file names.

Example:

    kernels = ["gpu"]

How to fix: write a value that the message allows.
""",
)
MISSING_KEY = ReadingRule(
    "OG013",
    "missing-key",
    """A required key is missing.

Example: a file that does not start with `spec = 1`.

How to fix: write the key.
""",
)
ILLEGAL_NAME = ReadingRule(
    "OG014",
    "illegal-name",
    """A name is not an identifier.

This rule allows names of at most 64 letters, digits and `_`. A name starts with a letter. Names of
ops and templates must be in lower case.

Why: they become names in Python and C++.

Example:

    [ops.RMSNorm]

How to fix: write `[ops.rms_norm]`. The C++ struct then has the name `RmsNorm`.
""",
)
BAD_REFERENCE = ReadingRule(
    "OG030",
    "bad-reference",
    """A reference does not exist, or does not take the arguments of the op.

This rule looks for the function in the Python file that `reference` or a derived dim names. It does
not run the file. opgen calls a reference as `f(xp, *inputs, **attrs)`: the first parameter is `xp`,
the inputs follow in the order of the spec, and each attr is a parameter of the same name. The file
must not import torch or jax. A function that computes a size may take dims, groups and attrs.

Why: tests compare kernels with the reference. It is also the fallback for a missing kernel, and
the source of second derivatives.

Example:

    reference = "rms_norm.py:rms_norm"  # there: def rms_norm(x, weight, eps)

How to fix: write `def rms_norm(xp, x, weight, *, eps)`. In other cases, put the file next to the
spec, correct the name of the function, reorder its parameters, or set `inputs.order`.
""",
)
MISSING_SOURCE = ReadingRule(
    "OG031",
    "missing-source",
    """The file of a kernel in Python does not exist.

This rule looks for the file that a key such as `pallas` names, in the kernels folder of the project.

Example:

    kernels      = [{ on = "tpu", pallas = "rms_norm/tpu_rms_norm.py:rms_norm" }]

How to fix: create the file, or correct the path. Paths are relative to `[tool.opgen] kernels`.
""",
)
BAD_TABLE = ReadingRule(
    "OG036",
    "bad-table",
    """A table of `opgen tune` is damaged, or was measured with other kernels.

This rule checks the files `tuned/*.json` next to the folder of specs when opgen renders a project.
Each file must be JSON in the format of this version of opgen, with the name of its device. Its
kernels must be kernels of the project with `tune`, and must have the same values, dtypes and sizes
to choose from. No two rows may be for the same call, and their values must be in the spec.

Why: the values of a table become part of the libraries. Values for another kernel would be slow or
wrong.

Example:

    # if the table was measured with `kib = [128, 512]` and contains 512
    kernels     = [{ on = "cpu", tune = { kib = [128, 256] } }]

How to fix: measure again with `opgen tune OP` on that device, or remove the kernel from the table.
opgen then uses the first value of each list.
""",
)
BAD_FRAMEWORK_FILE = ReadingRule(
    "OG038",
    "bad-framework-file",
    """A package cannot contain this Python file for a framework.

This rule reads the files `<family>_torch.py`, `<family>_jax.py` and, for a library,
`<family>_jax_nnx.py` next to a spec, without running them. `__all__` must list names that the file
defines, and that no op and no other file has. The file must import ops from the package by its full
name, not by a relative import.

Why: the package contains a copy of the file, and offers its names.

Example:

    # rms_norm_torch.py
    from generated.torch import rmsnorm

How to fix: write `from generated.torch import rms_norm` and `__all__ = ["RMSNorm"]`.
""",
)
BAD_FILE_NAME = ReadingRule(
    "OG032",
    "bad-file-name",
    """A spec has a file name that cannot be the name of a family.

This rule allows only lower-case letters, digits and `_` before `.toml`. No two specs may have the
same name, and no spec may have the name of a header of the C library.

Why: the rendered files of a family have its name. A file `math.h` would hide the header of the
system.

Example: `specs/rms-norm.toml`, or both `norms/relu.toml` and `acts/relu.toml`.

How to fix: rename the file.
""",
)
CONFIGURATION = ReadingRule(
    "OG020",
    "configuration",
    """opgen cannot use a value of `[tool.opgen]` in pyproject.toml.

This rule checks every value. Folders must be in the folder of pyproject.toml. `package` must be the
name of a Python package, and `namespace` a lower-case identifier that no framework uses. `targets`,
`cuda_archs` and `hip_archs` must be lists of strings. `runtime` must be "vendored" or "package".

Example:

    [tool.opgen]
    out = "../generated"

How to fix: write a value that the message allows.
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
