"""The device `neuron` of PyTorch, on tensors in host memory: `import neuron_device`.

Like torch-neuronx, it is a PrivateUse1 backend of that name. Its C++ code is compiled once, into
`generated/lib/neuron_device`.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
from torch.utils import cpp_extension

HERE = Path(__file__).resolve()
BUILD = HERE.parents[3] / "generated" / "lib" / "neuron_device"


class Stream:
    """The only stream, on which all work is already done."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def wait_stream(self, _: Stream) -> None:
        pass

    wait_event = wait_stream

    def record_event(self, event: Any = None) -> Event:
        return event or Event()

    def synchronize(self) -> None:
        pass


class Event(Stream):
    """An event that has already happened."""

    def record(self, _: Any = None) -> None:
        pass

    wait = record


def _module() -> ModuleType:
    """Create the module `torch.neuron`."""
    found = ModuleType("torch.neuron")
    found.__dict__.update(
        is_available=lambda: True,
        is_initialized=lambda: True,
        _is_in_bad_fork=lambda: False,
        device_count=lambda: 1,
        current_device=lambda: 0,
        set_device=lambda _: None,
        synchronize=lambda *_: None,
        manual_seed_all=lambda _: None,
        get_amp_supported_dtype=lambda: [torch.bfloat16],
        current_stream=lambda *_: Stream(),
        stream=lambda _: contextlib.nullcontext(),
        device=lambda _: contextlib.nullcontext(),
        Stream=Stream,
        Event=Event,
    )
    return found


BUILD.mkdir(parents=True, exist_ok=True)
cpp_extension.load(
    name=f"neuron_device_{torch.__version__.replace('.', '_').partition('+')[0]}",
    sources=[str(HERE.parents[1] / "backend" / "backend.cpp")],
    extra_cflags=["-O0"],
    build_directory=str(BUILD),
    is_python_module=False,
)
torch.utils.rename_privateuse1_backend("neuron")
torch._register_device_module("neuron", _module())
torch.utils.generate_methods_for_privateuse1_backend()
