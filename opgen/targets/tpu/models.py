"""The kernel keys that only TPUs have."""

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
            "TPU: a function in Pallas, of a file below the kernels folder.",
            "norms/norms_pallas.py:rms_norm",
        ),
    ]
    blocks: Annotated[
        dict[Name, Annotated[Positive | Expression, Called("positive integer or expression")]],
        doc(
            "Of which dims and groups a program has a part, and how much: each is an axis of the "
            "grid, the last the fastest. By default it has all.",
            {"batch": 256},
        ),
    ]
