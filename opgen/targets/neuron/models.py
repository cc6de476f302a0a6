"""The keys of `neuron`, the options of an op for Neuron, and those of its kernel alone."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import TypedDict

from opgen.spec.models.strings import OpName, PythonFunction
from opgen.spec.models.types import Positive, doc


class Options(TypedDict, total=False):
    """Options of the Neuron target."""

    library: Annotated[
        OpName,
        doc(
            "The library of C++ operators that it is in. By default one for the package.", "my_ops"
        ),
    ]
    stack_size: Annotated[
        Positive, doc("The stack that its C++ kernel needs, in bytes. 6144 by default.", 20480)
    ]


class Kernel(TypedDict, total=False):
    """What the table of a kernel for Neuron has beside the keys that all have."""

    nki: Annotated[
        PythonFunction, doc("Neuron: the NKI function and its module.", "nki_rms_norm:nki_rms_norm")
    ]
