"""The keys of a spec's kernels that only kernels for TPUs can have."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from opgen.spec.models.strings import Called, Expression, Name, PythonFile
from opgen.spec.models.types import Positive, doc


class Kernel(TypedDict, total=False):
    """The extra keys of a kernel for TPUs."""

    pallas: Annotated[
        PythonFile,
        doc(
            "TPU: a function in Pallas, in a file in the kernels folder.",
            "norms/norms_pallas.py:rms_norm",
        ),
    ]
    blocks: Annotated[
        dict[Name, Annotated[Positive | Expression, Called("positive integer or expression")]],
        doc(
            "TPU: the size of the block that one program processes, for each dim and group "
            "that is divided. Each becomes an axis of the grid, and the last is the fastest. "
            "By default a program receives whole dims.",
            {"batch": 256},
        ),
    ]
