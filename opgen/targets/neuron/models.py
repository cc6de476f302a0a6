"""The keys of a spec's kernels that only kernels for Neuron can have."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from opgen.spec.models.strings import Called, PythonFile, PythonFunction
from opgen.spec.models.types import Positive, doc


class Kernel(TypedDict, total=False):
    """The extra keys of a kernel for Neuron."""

    nki: Annotated[
        PythonFile | PythonFunction,
        Called("`folder/file.py:function` or `module:function`"),
        doc(
            "Neuron: an NKI function, in a file in the kernels folder or in a module.",
            "rms_norm/nki_rms_norm.py:nki_rms_norm",
        ),
    ]
    lnc: Annotated[
        list[Positive],
        doc(
            "Neuron: the numbers of cores on which the NKI kernel may be launched. `[1]` by "
            "default.",
            [1, 2],
        ),
    ]
    legacy: Annotated[
        Literal["grid", "operator"],
        doc(
            "Neuron: the form that the kernel keeps for old SDKs: the `grid` of its launch, "
            "or an `operator` in C++.",
            "grid",
        ),
    ]
