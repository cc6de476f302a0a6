"""Template data for the files that build and load a library of custom operators.

The files exist twice: for the library on Neuron, and for its CPU version, called the twin.
"""

from __future__ import annotations

from collections.abc import Sequence

from opgen.source.frozen import dataclass
from opgen.targets.neuron.functions import FunctionView
from opgen.targets.neuron.libraries import Library
from opgen.targets.python_format import call, docstring, import_from, quoted

# AWS Neuron, "Custom C++ Operators Developer Guide", Performance Guidance: the default stack
# size of an operator, in bytes.
STACK_SIZE = 6 * 1024


@dataclass(frozen=True, slots=True)
class BuildView:
    """Template data for one `build.py`: header folders, and the call that builds the library."""

    docstring: str
    imports: str
    package: str
    product: str
    folder: str
    folders: str
    load: str


@dataclass(frozen=True, slots=True)
class MyOpsView:
    """Template data for one `my_ops.py`, except its functions."""

    docstring: str
    imports: str
    library: str
    load: str
    namespace: str


def name_of(library: Library, twin: bool) -> str:
    """Return the name of a library and of its build folder. `twin` selects the CPU version."""
    return f"{library.name}_cpu" if twin else library.name


def build_view(library: Library, layout: str, twin: bool) -> BuildView:
    name = f"{name_of(library, twin)}_{layout}"
    what = "for the CPU" if twin else "for Neuron"
    framework = (
        "from torch.utils import cpp_extension"
        if twin
        else "from torch_neuronx.xla_impl import custom_op"
    )
    return BuildView(
        docstring=docstring(
            f"Builds `{library.name}` {what}. Rendered by opgen.\n\n"
            "It is compiled and loaded; `my_ops` finds it where it is written."
        ),
        imports=framework,
        package=f"HERE.parents[{2 if twin else 1}]",
        product=f"`lib{name}.so`",
        folder=quoted(name_of(library, twin)),
        folders="HERE, HERE.parent" if twin else "HERE",
        load=_load_twin(name) if twin else _load(library, name),
    )


def _load(library: Library, name: str) -> str:
    sources = [f"kernels / {quoted(source)}" for source in library.sources]
    items = [
        f"name={quoted(name)}",
        f"compute_srcs=[{', '.join(f'str({source})' for source in sources)}]",
        'shape_srcs=[str(HERE / "shape.cpp")]',
        "build_directory=str(out)",
    ]
    items.append("extra_include_paths=[str(folder) for folder in folders]")
    return call("custom_op.load", items)


def _load_twin(name: str) -> str:
    """Return the call that builds and loads the twin, which is the library for the CPU.

    The build fails if a function's stack frame is larger than `STACK_SIZE`, because such a function
    would overflow the stack on the device.
    """
    items = [
        f'name="lib{name}"',
        'sources=[str(HERE / "ops.cpp")]',
        f'extra_cflags=["-O2", "-Werror=frame-larger-than={STACK_SIZE}"]',
        "extra_include_paths=[str(folder) for folder in (*folders, kernels)]",
        "build_directory=str(out)",
        "is_python_module=False",
    ]
    return call("cpp_extension.load", items)


def my_ops_view(
    library: Library, functions: Sequence[FunctionView], layout: str, twin: bool
) -> MyOpsView:
    up = "...." if twin else "..."
    where = "on the CPU, to move to Neuron by one import" if twin else "on Neuron"
    references = sorted({f.reference for f in functions if f.reference})
    third = ["import torch", "from torch import Tensor"]
    third += [] if twin else ["from torch_neuronx.xla_impl import custom_op"]
    if references:
        third.insert(1, "from array_api_compat import torch as xp")
    checks = {"explain", "find"} | ({"pullback"} if references else set())
    own = [f"from {up} import core"]
    own += [f"from {up}reference import {r} as {r}_reference" for r in references]
    own.append(import_from(f"{up[1:]}_checks", checks))
    name = name_of(library, twin)
    find = f'find({quoted(name)}, "lib{name}_{layout}.so")'
    loads = "torch.ops.load_library" if twin else "custom_op.load_library"
    return MyOpsView(
        docstring=docstring(
            f"The operators of `{library.name}` {where}, with their gradients.\n\n"
            "Rendered by opgen: edit the specs, not this file."
        ),
        imports="\n\n".join(["\n".join(third), "\n".join(own)]),
        library=library.name,
        load=call(loads, [find]),
        namespace=name,
    )
