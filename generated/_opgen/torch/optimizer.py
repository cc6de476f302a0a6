"""The base class of optimizers that are made from ops."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor

State = dict[str, Any]
# A dtype, or a table of dtypes by the dtype of a parameter.
Dtypes = torch.dtype | Mapping[torch.dtype, torch.dtype]
# Options of PyTorch's optimizers that choose how a step runs, not what it computes.
EXECUTION = ("foreach", "fused", "capturable", "differentiable")


class Optimizer(torch.optim.Optimizer):
    """Base class that updates the parameters of a group by one call of an op.

    It needs several calls if parameters differ in device, dtypes, mesh or number of steps. A
    subclass defines the initial state of a parameter (`start`) and calls the op (`update`).

    `shared` names scalar state that all parameters of a call share, such as the number of steps.
    Parameters with the same number of steps hold the same tensor. In a `state_dict`, each has its
    own copy, as in PyTorch's optimizers.

    Checkpoints are compatible with the optimizer of the same name in `torch.optim`, if any. A
    `state_dict` then has the other options of that optimizer, at their defaults. A loaded
    `state_dict` may not change them. Groups have none of them.
    """

    shared: ClassVar[tuple[str, ...]] = ()
    # Requirements on an option that is a scalar of the op: the text, and the check.
    limits: ClassVar[Mapping[str, tuple[str, Callable[[Any], Any]]]] = {}

    def start(self, p: Tensor, group: dict[str, Any]) -> State:
        """Return the initial state of parameter `p`."""
        raise NotImplementedError

    def update(
        self,
        group: dict[str, Any],
        params: list[Tensor],
        grads: list[Tensor],
        state: dict[str, Any],
    ) -> None:
        """Update parameters and state in place. `state`: a list for each name, or a scalar."""
        raise NotImplementedError

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group. Raises the op's errors for parameters and options that it does not take."""
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        try:
            for name in self._foreign(group):
                del group[name]
            for dtype in dict.fromkeys(p.dtype for p in group["params"]):
                p = torch.empty((), dtype=dtype, device="meta")
                self._update(group, [p], [p.clone()], [self.start(p, group)])
            for name, (text, holds) in self.limits.items():
                if not holds(group[name]):
                    raise ValueError(
                        f"{type(self).__name__}: {name}: expected {text}, got {group[name]}"
                    )
        except Exception:
            self.param_groups.pop()
            raise

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update all parameters that have a gradient. Return the loss if `closure` computes it."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            self._start(group)
        holders = self._holders()
        for group in self.param_groups:
            for params in self._batches(group):
                states = [self.state[p] for p in params]
                self._own(states, holders)
                grads: list[Any] = [p.grad for p in params]
                self._update(group, params, grads, states)
        return loss

    def state_dict(self) -> dict[str, Any]:
        """Return the state in PyTorch's form; see `torch.optim.Optimizer.state_dict`."""
        found = super().state_dict()
        found["state"] = {
            key: {n: v.clone() if n in self.shared else v for n, v in state.items()}
            for key, state in found["state"].items()
        }
        others = self._counterpart()
        found["param_groups"] = [{**others, **g} for g in found["param_groups"]]
        return found

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a checkpoint; see `torch.optim.Optimizer.load_state_dict`.

        State gets the dtype that new state would have. Raises ValueError for an option with which
        PyTorch's optimizer computes something else, and for state with other names.
        """
        saved: dict[str, Any] = {}

        def own(_: Any, found: dict[str, Any]) -> dict[str, Any]:
            saved.update(found, param_groups=[*map(self._read, found["param_groups"])])
            self._check(saved)
            return saved

        # It runs after the user's hooks and sees their results: hooks run in registration order.
        hook = self.register_load_state_dict_pre_hook(own)
        try:
            super().load_state_dict(state_dict)
        finally:
            hook.remove()
        keys = [key for group in saved["param_groups"] for key in group["params"]]
        scalars: dict[Any, Tensor] = {}
        for key, (p, group) in zip(keys, self._params()):
            if key in saved["state"]:
                self._restore(p, group, saved["state"][key], scalars)

    def __setstate__(self, state: dict[str, Any]) -> None:
        names = [*(state.get("defaults") or self.defaults)]
        super().__setstate__(state)  # adds `differentiable` to the defaults
        self.defaults = {name: self.defaults[name] for name in names}
        for group in self.param_groups:  # of a checkpoint that lacks an option
            for name, value in self.defaults.items():
                group.setdefault(name, value)

    # -- options of PyTorch's optimizers ---------------------------------------------------

    def _read(self, group: dict[str, Any]) -> dict[str, Any]:
        """Return a group of a checkpoint without the options that this optimizer lacks."""
        foreign = self._foreign(group)
        return {name: value for name, value in group.items() if name not in foreign}

    def _foreign(self, group: dict[str, Any]) -> list[str]:
        """Return the options in `group` that only PyTorch's optimizer has.

        Raises ValueError if one of them changes the result.
        """
        others = self._counterpart()
        foreign = [n for n in (*others, *EXECUTION) if n in group and n not in self.defaults]
        for option in foreign:
            if option not in EXECUTION and group[option] != others[option]:
                name, expected = type(self).__name__, others[option]
                raise ValueError(f"{name}: {option}: expected {expected}, got {group[option]}")
        return [*dict.fromkeys(foreign)]

    def _counterpart(self) -> dict[str, Any]:
        """Return the options of the PyTorch optimizer with the name of the rendered class."""
        own = next(c for c in type(self).__mro__ if Optimizer in c.__bases__)
        return counterpart(own.__name__)

    def _check(self, saved: dict[str, Any]) -> None:
        """Raise ValueError for a checkpoint that lacks state which the op reads."""
        keys = [(key, group) for group in saved["param_groups"] for key in group["params"]]
        for (key, group), (p, _) in zip(keys, self._params()):
            state = saved["state"].get(key)
            fresh = self._fresh(p, {**self.defaults, **group})
            if state and fresh.keys() - state.keys():
                wanted, got = (", ".join(map(str, each)) for each in (fresh, state))
                name = type(self).__name__
                raise ValueError(f"{name}: state: expected {wanted}, got {got}")

    # -- grouping by call ------------------------------------------------------------------

    def _params(self) -> Iterator[tuple[Tensor, dict[str, Any]]]:
        """Yield every parameter with its group."""
        return ((p, group) for group in self.param_groups for p in group["params"])

    def _start(self, group: dict[str, Any]) -> None:
        """Create state for parameters that have a gradient for the first time."""
        scalars: dict[Any, Tensor] = {}
        for p in group["params"]:
            if p.grad is not None and not self.state[p]:
                state = self.start(p, group)
                for name in self.shared:
                    state[name] = scalars.setdefault((name, p.device), state[name])
                self.state[p].update(state)

    def _holders(self) -> Counter[int]:
        """Return how many parameters hold each of the scalars that may be shared."""
        states = self.state.values()
        return Counter(id(s[n]) for s in states for n in self.shared if n in s)

    def _batches(self, group: dict[str, Any]) -> list[list[Tensor]]:
        """Return the parameters that have a gradient, grouped by call."""
        batches: dict[Any, list[Tensor]] = {}
        for p in group["params"]:
            if p.grad is None:
                continue
            if p.grad.layout is not torch.strided:
                name, layout = type(self).__name__, p.grad.layout
                raise TypeError(f"{name}: expected dense gradients, got a {layout} one")
            state = self.state[p]
            kinds = (n if n in self.shared else v.dtype for n, v in state.items())
            scalars = (id(state[n]) for n in self.shared)
            mesh = getattr(p, "device_mesh", None)
            key = (p.device, mesh, p.dtype, p.grad.dtype, *kinds, *scalars)
            batches.setdefault(key, []).append(p)
        return [*batches.values()]

    def _own(self, states: Sequence[State], holders: Counter[int]) -> None:
        """Copy scalars that are shared with parameters which make no step this time."""
        for name in self.shared:
            scalar = states[0][name]
            if holders[id(scalar)] > len(states):
                holders[id(scalar)] -= len(states)
                scalar = scalar.clone()
                holders[id(scalar)] = len(states)
                for state in states:
                    state[name] = scalar

    def _update(
        self,
        group: dict[str, Any],
        params: list[Tensor],
        grads: list[Tensor],
        states: Sequence[State],
    ) -> None:
        """Update parameters whose state has the same names."""
        lists = {n: [s[n] for s in states] for n in states[0] if n not in self.shared}
        scalars = {name: states[0][name] for name in self.shared}
        self.update(group, params, grads, {**lists, **scalars})

    def _restore(
        self, p: Tensor, group: dict[str, Any], saved: State, scalars: dict[Any, Tensor]
    ) -> None:
        """Restore the saved state of `p`, which PyTorch has cast to the dtype of `p`."""
        fresh = self._fresh(p, group)
        for name in fresh.keys() & saved.keys():
            value = torch.as_tensor(saved[name]).to(p.device, fresh[name].dtype)
            if name in self.shared:
                key = name, p.device, value.item()
                value = scalars.setdefault(key, value.clone())
            elif value.shape == p.shape and value.stride() != p.stride():
                value = torch.empty_like(p, dtype=value.dtype).copy_(value)
            self.state[p][name] = value

    def _fresh(self, p: Tensor, group: dict[str, Any]) -> State:
        """Return the names and dtypes of the initial state of `p`."""
        return self.start(torch.empty((), dtype=p.dtype, device="meta"), group)


@functools.cache
def counterpart(name: str) -> dict[str, Any]:
    """Return the options of PyTorch's optimizer `name`, at their defaults; {} if it
    does not exist.
    """
    native = getattr(torch.optim, name, None)
    if not isinstance(native, type) or not issubclass(native, torch.optim.Optimizer):
        return {}
    make: Callable[..., torch.optim.Optimizer] = native
    return make([torch.zeros(())]).defaults


def scalar(value: Any, p: Tensor, dtypes: Dtypes = {}) -> Any:
    """Return an option in the op's form: a tensor of one element becomes a scalar."""
    if isinstance(value, Tensor):
        dtype = dtypes if isinstance(dtypes, torch.dtype) else dtypes.get(p.dtype, p.dtype)
        return value.to(p.device, dtype).reshape(())
    return value
