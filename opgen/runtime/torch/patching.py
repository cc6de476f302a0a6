"""Ops in the place of a model's layers: `patch`.

A layer that is patched becomes one of a subclass of its class, whose `forward` calls an op.
Everything else of it stays: parameters, buffers, hooks, its place in the model.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from .library import find_op

# The types of parameters whose values are plain numbers; others have a layout of their own.
PLAIN = ("Tensor", "Parameter", "Buffer", "DTensor", "FakeTensor")
# What one layer may do beside its class's forward.
OWN = (
    "forward",
    "_forward_pre_hooks",
    "_forward_hooks",
    "_backward_pre_hooks",
    "_backward_hooks",
)


class Patch(nn.Module):
    """What a patched layer is beside one of its own class.

    `op` computes the forward of the classes named in `of`, which reads these attributes
    (`reads`) and calls these layers (`runs`). `dtypes`: those that it takes of parameters and
    arguments.
    """

    op: ClassVar[str] = ""
    of: ClassVar[tuple[str, ...]] = ()
    reads: ClassVar[tuple[str, ...]] = ()
    runs: ClassVar[tuple[str, ...]] = ()
    dtypes: ClassVar[dict[str, tuple[torch.dtype, ...]]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """A new layer is one of its own class: nothing has looked at its options."""
        if _is_made(type(self)):
            self.__class__ = type(self).__bases__[1]
            self.__init__(*args, **kwargs)  # type: ignore[misc]
        else:
            super().__init__(*args, **kwargs)

    def unmet(self: Any) -> Iterator[str]:
        """What must hold of a layer, and does not."""
        return iter(())

    def takes(self, name: str, x: Tensor) -> bool:
        """Whether the op takes an argument `x` of forward, as to its dtype and layout."""
        return x.dtype in self.dtypes[name] and x.layout == torch.strided and not x.is_nested

    def autocast(self, x: Tensor) -> bool:
        """Whether autocast is on for the device of `x`; some devices, as meta, have none."""
        device = x.device.type
        return torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device)

    def extra_repr(self) -> str:
        return ", ".join(filter(None, (super().extra_repr(), f"op={self.op}")))

    def __reduce_ex__(self, protocol: Any) -> Any:
        """The class has no name that can be imported: it is made where a copy is read."""
        if not _is_made(type(self)):
            return super().__reduce_ex__(protocol)
        reduced: Any = super().__reduce_ex__(max(protocol, 2))
        _, _, *rest = reduced
        return _new, type(self).__bases__, *rest


_offered: list[type[Patch]] = []
_classes: dict[tuple[type[Patch], type[nn.Module]], type[nn.Module]] = {}


def offer(patch: type[Patch]) -> type[Patch]:
    """Let `patch` see that its op computes the forward of some layers."""
    _offered.append(patch)
    return patch


@dataclass(frozen=True)
class Layer:
    """What became of a layer: `op`, if one computes its forward now, else the reason."""

    name: str
    kind: str
    op: str | None
    reason: str = ""


@dataclass
class Patched:
    """What `patch` did, which prints as a table. As a context it is undone at the end."""

    layers: list[Layer]
    changed: list[tuple[str, nn.Module, type[nn.Module], type[nn.Module]]] = field(repr=False)

    def undo(self) -> None:
        """Give each layer its class back.

        Raises:
            RuntimeError: one has a third class now, or a `forward` of its own. None is undone.
        """
        for name, module, _, ours in self.changed:
            if type(module) is not ours:
                message = f"`{name}` is a {type(module).__qualname__} since it was patched"
                raise RuntimeError(f"{message}: undo first what made it one")
            if "forward" in vars(module):
                message = f"`{name}` has a `forward` of its own since it was patched"
                raise RuntimeError(f"{message}: undo first what set it")
        for _, module, own, _ in self.changed:
            module.__class__ = own
        self.changed.clear()

    def __enter__(self) -> Patched:
        return self

    def __exit__(self, *_: object) -> None:
        self.undo()

    def __str__(self) -> str:
        names: dict[tuple[str, str], list[str]] = {}
        for layer in self.layers:
            what = layer.op or f"as it is: {layer.reason}"
            names.setdefault((layer.kind, what), []).append(layer.name or "(the model)")
        rows = [("layers", "of class", "computed by")]
        for (kind, what), (first, *more) in names.items():
            rows.append((f"{first} and {len(more)} more" if more else first, kind, what))
        widths = [max(len(row[i]) for row in rows) for i in (0, 1)]
        return "\n".join(f"{a:{widths[0]}}  {b:{widths[1]}}  {c}" for a, b, c in rows)


def patch(model: nn.Module, *, ops: Collection[str] | None = None) -> Patched:
    """Let ops compute the forward of those layers of `model` whose values are the same.

    A layer stays the same object, with its parameters, buffers, hooks and mode; a call that
    the op does not take runs its own forward. What is patched already stays so.

    Args:
        model (nn.Module): changed in place; itself a layer, or made of layers.
        ops (Collection[str], optional): only these ops. By default all that there are.

    Returns:
        Patched: what was done to which layer, and why not to others. `print` shows a table;
        `undo()`, or the end of a `with`, gives the layers back their own forward.

    Raises:
        ValueError: one of `ops` computes no layer's forward.
        TypeError: `model` is no `nn.Module`, or `ops` one text.
    """
    if not isinstance(model, nn.Module):
        raise TypeError(f"model: expected an nn.Module, got {type(model).__qualname__}")
    if isinstance(ops, str):
        raise TypeError(f"ops: expected a list of names, got {ops!r}: give a list, [{ops!r}]")
    known = {each.op for each in _offered}
    if unknown := sorted(set(ops or ()) - known):
        raise ValueError(f"ops: {unknown[0]!r} is not one of {', '.join(sorted(known))}")
    offers = _by_class()
    done = Patched([], [])
    inner: dict[nn.Module, str] = {}
    for name, module in model.named_modules():
        own = type(module)
        if module in inner:
            done.layers.append(Layer(name, own.__qualname__, inner[module]))
            continue
        if isinstance(module, Patch):
            done.layers.append(Layer(name, own.__qualname__, None, "patched already"))
            continue
        reasons = []
        for each in offers.get(own, ()):
            if ops is not None and each.op not in ops:
                reasons.append(f"{each.op} is left out by `ops`")
                continue
            reason = _refusal(module, each)
            if not reason:
                ours = _class(each, own)
                module.__class__ = ours
                done.changed.append((name, module, own, ours))
                done.layers.append(Layer(name, own.__qualname__, each.op))
                inner |= {m: each.op for n, m in module.named_children() if n not in each.runs}
                break
            reasons.append(f"{each.op} {reason}")
        else:
            reason = "; ".join(reasons) or _unknown(module, offers)
            if reason:
                done.layers.append(Layer(name, own.__qualname__, None, reason))
    return done


def _by_class() -> dict[type, list[type[Patch]]]:
    """What is offered for each class that was imported: there are no layers of others."""
    found: dict[type, list[type[Patch]]] = {}
    for each in _offered:
        for name in each.of:
            module, _, cls = name.rpartition(".")
            known = getattr(sys.modules.get(module), cls, None)
            if isinstance(known, type):
                found.setdefault(known, []).append(each)
    return found


def _refusal(module: nn.Module, patch: type[Patch]) -> str:
    """Why `module` keeps its forward, though its class is known; nothing where it need not."""
    if "forward" in vars(module):
        return "would not run: the layer has a `forward` of its own, not its class's"
    if _is_replaced(type(module)):
        return "may compute something else: the class's `forward` was replaced"
    for name in patch.reads:
        if not hasattr(module, name):
            return f"reads `self.{name}`, which is missing"
        value = getattr(module, name)
        if isinstance(value, Tensor):
            if type(value).__name__ not in PLAIN:
                return f"does not take a {type(value).__name__}, as `self.{name}` is"
            if value.dtype not in patch.dtypes.get(name, (value.dtype,)):
                return f"does not take {value.dtype}, which `self.{name}` has"
            if not _runs_on(patch.op, value.device.type):
                return f"has no kernel for {value.device.type}, where `self.{name}` is"
    for name, child in module.named_children():
        if name in patch.runs:
            continue
        if any(vars(child).get(each) for each in OWN):
            return f"would not run `{name}`, which has hooks or a `forward` of its own"
        if _is_replaced(type(child)):
            return f"would not run `{name}`, whose class's `forward` was replaced"
    return next((f"needs `{text}`" for text in patch.unmet(module)), "")


def _is_replaced(cls: type[nn.Module]) -> bool:
    """Whether the forward of a class is not the function that was written in it."""
    owner = next(each for each in cls.__mro__ if "forward" in vars(each))
    forward = vars(owner)["forward"]
    written = (owner.__module__, f"{owner.__qualname__}.forward")
    found = tuple(getattr(forward, key, "") for key in ("__module__", "__qualname__"))
    return owner is not nn.Module and (found != written or hasattr(forward, "__wrapped__"))


def _runs_on(name: str, device: str) -> bool:
    """Whether the op has a kernel, or its reference, for a kind of device."""
    key = getattr(torch._C.DispatchKey, device.upper(), None)
    if device == "meta" or key is None:
        return device == "meta"
    return find_op(name).has_kernel_for_dispatch_key(key)


def _unknown(module: nn.Module, offers: dict[type, list[type[Patch]]]) -> str:
    """Why nothing is offered for `module`; nothing where it is made of other layers."""
    for base in type(module).__mro__[1:]:
        if base in offers:
            return f"a subclass of {base.__qualname__} may compute something else"
    return "" if any(True for _ in module.children()) else "no op computes it"


def _class(patch: type[Patch], own: type[nn.Module]) -> type[nn.Module]:
    """The class `own` with the forward of `patch`, under its own name."""
    if (patch, own) not in _classes:
        named = {key: getattr(own, key) for key in ("__module__", "__qualname__", "__doc__")}
        named["_own"] = own
        kind = _Equal if type(own) is type else type("_Equal", (_Equal, type(own)), {})
        _classes[patch, own] = kind(own.__name__, (patch, own), named)
    return _classes[patch, own]


class _Equal(type):
    """The class of a patched layer, which equals the layer's own: tools have tables of classes."""

    def __eq__(cls, other: object) -> bool:
        return cls is other or other is _own(cls)

    def __hash__(cls) -> int:
        return type.__hash__(_own(cls))


def _own(cls: type) -> type:
    """The class that a layer had before it was patched; of a subclass of a patched one itself."""
    found: type = vars(cls).get("_own", cls)
    return found


def _is_made(cls: type) -> bool:
    """Whether `cls` is a class of patched layers, not a subclass of one."""
    return any(cls is each for each in _classes.values())


def _new(patch: type[Patch], own: type[nn.Module]) -> nn.Module:
    """An empty layer of a patched class: a copy, before it has its state."""
    made = _class(patch, own)
    return made.__new__(made)
