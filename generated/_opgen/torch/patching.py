"""Replace the forward of a model's layers by ops: `patch`.

A patched layer gets a subclass of its class, whose `forward` calls an op. Everything else stays the
same: parameters, buffers, hooks, and its place in the model.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import torch
from torch import Tensor, nn

from ..core.project import NAMESPACE
from .library import find_op

# The types of parameters that hold plain numbers. Other tensor types, such as quantized ones, store
# their values in another way.
PLAIN = ("Tensor", "Parameter", "Buffer", "DTensor", "FakeTensor")
# Attributes by which a single layer may change its class's forward.
OWN = (
    "forward",
    "_forward_pre_hooks",
    "_forward_hooks",
    "_backward_pre_hooks",
    "_backward_hooks",
)


class Patch(nn.Module):
    """The base class for `register_patch`, and for the classes of patched layers.

    A subclass defines `forward`, which calls `op`, or `super().forward` if the op does not accept
    the call. `of` has the full names of the layer classes to which the patch can be applied.
    `reads` lists layer attributes that `forward` uses. `runs` lists the attributes in `reads` that
    are themselves layers and that `forward` calls. `dtypes` maps parameters of the layer and
    arguments of `forward` to the dtypes that the op accepts.
    """

    op: ClassVar[str] = ""
    of: ClassVar[tuple[str, ...]] = ()
    reads: ClassVar[tuple[str, ...]] = ()
    runs: ClassVar[tuple[str, ...]] = ()
    dtypes: ClassVar[dict[str, tuple[torch.dtype, ...]]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Create a layer of the original class, although the patched class was called.

        `patch` has not checked whether the op supports the options of the new layer.
        """
        if _is_made(type(self)):
            self.__class__ = type(self).__bases__[1]
            self.__init__(*args, **kwargs)  # type: ignore[misc]
        else:
            super().__init__(*args, **kwargs)

    def unmet(self: Any) -> Iterator[str]:
        """Yield each condition that the layer does not meet."""
        return iter(())

    def slower(self: Any) -> str:
        """Return when the op is slower than the layer, such as "in f32"; "" if it is not.

        `patch` then replaces the layer only if its argument `ops` names the op.
        """
        return ""

    def takes(self, name: str, x: Tensor) -> bool:
        """Return whether the op accepts the dtype and layout of an argument `x` of forward."""
        return x.dtype in self.dtypes[name] and x.layout == torch.strided and not x.is_nested

    def autocast(self, x: Tensor) -> bool:
        """Return whether autocast is on for the device of `x`. Some devices, like meta, lack it."""
        device = x.device.type
        return torch.amp.is_autocast_available(device) and torch.is_autocast_enabled(device)

    def extra_repr(self) -> str:
        return ", ".join(filter(None, (super().extra_repr(), f"op={self.op}")))

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle the layer with its original class. Unpickling creates the patched class again."""
        if not _is_made(type(self)):
            return super().__reduce_ex__(protocol)
        reduced: Any = super().__reduce_ex__(max(protocol, 2))
        _, _, *rest = reduced
        return _new, type(self).__bases__, *rest


P = TypeVar("P", bound=type[Patch])
_offered: list[type[Patch]] = []
_classes: dict[tuple[type[Patch], type[nn.Module]], type[nn.Module]] = {}


def register_patch(patch: P) -> P:
    """Register a subclass of `Patch`, so that `patch` replaces layers of the classes in its `of`.

    Raises:
        TypeError: `patch` is not a subclass of `Patch`.
        ValueError: `of` names no class with its module, or the op `op` does not exist.
    """
    if not (isinstance(patch, type) and issubclass(patch, Patch) and patch is not Patch):
        raise TypeError(f"register_patch: expected a subclass of Patch, got {patch!r}")
    if not patch.of or not all("." in name for name in patch.of):
        expected = 'expected full names of classes, ("torch.nn.ReLU",) say'
        raise ValueError(f"{patch.__name__}: of: {expected}, got {patch.of!r}")
    if not hasattr(getattr(torch.ops, NAMESPACE), patch.op):
        raise ValueError(f"{patch.__name__}: op: there is no op {patch.op!r}")
    _offered.append(patch)
    return patch


@dataclass(frozen=True)
class Layer:
    """The outcome of `patch` for one layer.

    `op` is the op that now computes the layer's forward. If `op` is None, `reason` explains why.
    """

    name: str
    kind: str
    op: str | None
    reason: str = ""


@dataclass
class Patched:
    """The result of `patch`, which prints as a table. The end of a `with` undoes the patch."""

    layers: list[Layer]
    changed: list[tuple[str, nn.Module, type[nn.Module], type[nn.Module]]] = field(repr=False)

    def undo(self) -> None:
        """Restore the original class of each layer.

        Raises:
            RuntimeError: a layer got another class or `forward` after `patch`. No layer is restored.
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
    """Replace the forward of layers in `model` by ops that compute the same values.

    A layer stays the same object, with its parameters, buffers, hooks and mode. If the op does not
    accept a call, the original forward runs. Layers that are already patched stay patched.

    Args:
        model (nn.Module): the model or single layer to change in place.
        ops (Collection[str], optional): only these ops. By default, all ops that are not slower
            than the layer.

    Returns:
        Patched: the outcome for each layer, with reasons. `print` shows a table.
        `undo()`, or the end of a `with`, restores the original forward of each layer.

    Raises:
        ValueError: one of `ops` does not compute any layer's forward.
        TypeError: `model` is not an `nn.Module`, or `ops` is a string.
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
            if not reason and ops is None and (when := each.slower(module)):
                reason = f"is slower {when}: name it in `ops` to use it"
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
    """Return the patches, by layer class, for those classes whose modules are imported.

    A model cannot have layers of other classes.
    """
    found: dict[type, list[type[Patch]]] = {}
    for each in _offered:
        for name in each.of:
            module, _, cls = name.rpartition(".")
            known = getattr(sys.modules.get(module), cls, None)
            if isinstance(known, type):
                found.setdefault(known, []).append(each)
    return found


def _refusal(module: nn.Module, patch: type[Patch]) -> str:
    """Return the reason why `patch` cannot be applied to `module`; "" if it can."""
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
    """Return whether the forward of a class has been replaced since its definition."""
    owner = next(each for each in cls.__mro__ if "forward" in vars(each))
    forward = vars(owner)["forward"]
    written = (owner.__module__, f"{owner.__qualname__}.forward")
    found = tuple(getattr(forward, key, "") for key in ("__module__", "__qualname__"))
    return owner is not nn.Module and (found != written or hasattr(forward, "__wrapped__"))


def _runs_on(name: str, device: str) -> bool:
    """Return whether the op has a kernel or a reference for a kind of device."""
    key = getattr(torch._C.DispatchKey, device.upper(), None)
    if device == "meta" or key is None:
        return device == "meta"
    return find_op(name).has_kernel_for_dispatch_key(key)


def _unknown(module: nn.Module, offers: dict[type, list[type[Patch]]]) -> str:
    """Return the reason why no op is available for `module`; "" for a container of layers."""
    for base in type(module).__mro__[1:]:
        if base in offers:
            return f"a subclass of {base.__qualname__} may compute something else"
    return "" if any(True for _ in module.children()) else "no op computes it"


def _class(patch: type[Patch], own: type[nn.Module]) -> type[nn.Module]:
    """Return a subclass of `own` with the forward of `patch` and the name of `own`."""
    if (patch, own) not in _classes:
        named = {key: getattr(own, key) for key in ("__module__", "__qualname__", "__doc__")}
        named["_own"] = own
        kind = _Equal if type(own) is type else type("_Equal", (_Equal, type(own)), {})
        _classes[patch, own] = kind(own.__name__, (patch, own), named)
    return _classes[patch, own]


class _Equal(type):
    """The metaclass of patched classes, which makes a patched class equal to its original class.

    So tools that look up layers by class, in a dict, also find patched layers.
    """

    def __eq__(cls, other: object) -> bool:
        return cls is other or other is _own(cls)

    def __hash__(cls) -> int:
        return type.__hash__(_own(cls))


def _own(cls: type) -> type:
    """Return the class that a layer had before it was patched, if `cls` is its class now.

    For an instance of a subclass of a patched class, return the subclass.
    """
    found: type = vars(cls).get("_own", cls)
    return found


def _is_made(cls: type) -> bool:
    """Return whether `cls` itself is a patched class. A subclass of a patched class is not."""
    return any(cls is each for each in _classes.values())


def _new(patch: type[Patch], own: type[nn.Module]) -> nn.Module:
    """Return an empty layer of a patched class, so that unpickling can load its state."""
    made = _class(patch, own)
    return made.__new__(made)
