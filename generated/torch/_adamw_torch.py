"""`AdamW` for PyTorch: like `torch.optim.AdamW`, but the op `adamw_` computes each step."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.optim.optimizer import ParamsT

from . import adamw_

__all__ = ["AdamW"]

State = dict[str, Any]
# Options of PyTorch's optimizer that choose how a step runs, not what it computes.
EXECUTION = ("foreach", "fused", "capturable", "differentiable")


class AdamW(torch.optim.Optimizer):
    """AdamW, with the options, state and checkpoints of `torch.optim.AdamW`.

    One call of `adamw_` updates all parameters of a group that have a gradient and the same device,
    dtypes, mesh and number of steps. These parameters share one tensor `step`. In a `state_dict`
    each parameter has a separate `step`. A `state_dict` also contains PyTorch's other options with
    their default values. A loaded `state_dict` must not have other values for them.

    Args:
        params (iterable): parameters, named parameters, or dicts of parameters with options for
            them.
        lr (float | Tensor): a number, or a tensor of one element, at least 0. Default: 0.001.
        betas (tuple[float, float]): at least 0, below 1. Default: (0.9, 0.999).
        eps (float): at least 0. Default: 1e-08.
        weight_decay (float): at least 0. Default: 0.01.
        amsgrad (bool): Default: False.
        maximize (bool): Default: False.
    """

    def __init__(
        self,
        params: ParamsT,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        maximize: bool = False,
    ) -> None:
        defaults = dict(
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            amsgrad=amsgrad,
            maximize=maximize,
        )
        super().__init__(params, defaults)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add a group. Raises the op's errors for parameters and options that the op does not
        accept.
        """
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        try:
            for name in self._foreign(group):
                del group[name]
            for dtype in dict.fromkeys(p.dtype for p in group["params"]):
                p = torch.empty((), dtype=dtype, device="meta")
                _update(group, [p], [p.clone()], [_start(p, group)])
            if not group["lr"] >= 0:
                raise ValueError(f"{self._name}: lr: expected lr >= 0, got {group['lr']}")
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
            self._begin(group)
        holders = Counter(id(s["step"]) for s in self.state.values() if "step" in s)
        for group in self.param_groups:
            for params in self._batches(group):
                states = [self.state[p] for p in params]
                _own_step(states, holders)
                grads: list[Any] = [p.grad for p in params]
                _update(group, params, grads, states)
        return loss

    def state_dict(self) -> dict[str, Any]:
        """Return the state in PyTorch's form; see `torch.optim.Optimizer.state_dict`."""
        found = super().state_dict()
        found["state"] = {
            key: {n: v.clone() if n == "step" else v for n, v in state.items()}
            for key, state in found["state"].items()
        }
        found["param_groups"] = [{**_native(), **g} for g in found["param_groups"]]
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
        steps: dict[Any, Tensor] = {}
        for key, (p, group) in zip(keys, self._params()):
            if key in saved["state"]:
                self.state[p].update(_restored(p, group, saved["state"][key], steps))

    def __setstate__(self, state: dict[str, Any]) -> None:
        names = [*(state.get("defaults") or self.defaults)]
        super().__setstate__(state)  # adds `differentiable` to the defaults
        self.defaults = {name: self.defaults[name] for name in names}
        for group in self.param_groups:  # of a checkpoint that lacks an option
            for name, value in self.defaults.items():
                group.setdefault(name, value)

    # -- checkpoints -----------------------------------------------------------------------

    @property
    def _name(self) -> str:
        return type(self).__name__

    def _params(self) -> Iterator[tuple[Tensor, dict[str, Any]]]:
        """Yield every parameter with its group."""
        return ((p, group) for group in self.param_groups for p in group["params"])

    def _read(self, group: dict[str, Any]) -> dict[str, Any]:
        """Return a group of a checkpoint without the options that this optimizer lacks."""
        foreign = self._foreign(group)
        return {name: value for name, value in group.items() if name not in foreign}

    def _foreign(self, group: dict[str, Any]) -> list[str]:
        """Return the options in `group` that only PyTorch's optimizer has.

        Raises ValueError if one of them changes the result.
        """
        others = _native()
        foreign = [n for n in (*others, *EXECUTION) if n in group and n not in self.defaults]
        for option in foreign:
            if option not in EXECUTION and group[option] != others[option]:
                expected = f"expected {others[option]}, got {group[option]}"
                raise ValueError(f"{self._name}: {option}: {expected}")
        return [*dict.fromkeys(foreign)]

    def _check(self, saved: dict[str, Any]) -> None:
        """Raise ValueError for a checkpoint that lacks state which the op reads."""
        keys = [(key, group) for group in saved["param_groups"] for key in group["params"]]
        for (key, group), (p, _) in zip(keys, self._params()):
            state = saved["state"].get(key)
            fresh = _start(_example(p), {**self.defaults, **group})
            if state and fresh.keys() - state.keys():
                wanted, got = (", ".join(map(str, each)) for each in (fresh, state))
                raise ValueError(f"{self._name}: state: expected {wanted}, got {got}")

    # -- grouping by call ------------------------------------------------------------------

    def _begin(self, group: dict[str, Any]) -> None:
        """Create state for parameters that have a gradient for the first time."""
        steps: dict[Any, Tensor] = {}
        for p in group["params"]:
            if p.grad is not None and not self.state[p]:
                state = _start(p, group)
                state["step"] = steps.setdefault(p.device, state["step"])
                self.state[p].update(state)

    def _batches(self, group: dict[str, Any]) -> list[list[Tensor]]:
        """Return the parameters that have a gradient, grouped by call."""
        batches: dict[Any, list[Tensor]] = {}
        for p in group["params"]:
            if p.grad is None:
                continue
            if p.grad.layout is not torch.strided:
                raise TypeError(
                    f"{self._name}: expected dense gradients, got a {p.grad.layout} one"
                )
            state = self.state[p]
            kinds = (n if n == "step" else v.dtype for n, v in state.items())
            mesh = getattr(p, "device_mesh", None)
            key = (p.device, mesh, p.dtype, p.grad.dtype, *kinds, id(state["step"]))
            batches.setdefault(key, []).append(p)
        return [*batches.values()]


def _update(
    group: dict[str, Any], params: list[Tensor], grads: list[Tensor], states: list[State]
) -> None:
    """Update parameters and their state in place, by one call."""
    largest = [s["max_exp_avg_sq"] for s in states] if group["amsgrad"] else None
    beta1, beta2 = group["betas"]
    adamw_(
        params,
        grads,
        [state["exp_avg"] for state in states],
        [state["exp_avg_sq"] for state in states],
        states[0]["step"],
        _rate(group["lr"], params[0]),
        largest,
        beta1=beta1,
        beta2=beta2,
        eps=group["eps"],
        weight_decay=group["weight_decay"],
        amsgrad=group["amsgrad"],
        maximize=group["maximize"],
    )


def _rate(lr: Any, p: Tensor) -> Any:
    """Return the rate in the op's form: a tensor of one element becomes a scalar."""
    if not isinstance(lr, Tensor):
        return lr
    wide = torch.float64 if p.dtype == torch.float64 else torch.float32
    return lr.to(p.device, wide).reshape(())


def _start(p: Tensor, group: dict[str, Any]) -> State:
    """Return the initial state of parameter `p`."""
    dtype = torch.float32 if p.dtype == torch.float16 else p.dtype
    state = {
        "exp_avg": torch.zeros_like(p, dtype=dtype),
        "exp_avg_sq": torch.zeros_like(p, dtype=dtype),
        "step": torch.zeros((), dtype=torch.float32, device=p.device),
    }
    if group["amsgrad"]:
        state["max_exp_avg_sq"] = torch.zeros_like(p, dtype=dtype)
    return state


def _own_step(states: list[State], holders: Counter[int]) -> None:
    """Copy the tensor `step` if parameters that are not updated in this step share it."""
    step = states[0]["step"]
    if holders[id(step)] > len(states):
        holders[id(step)] -= len(states)
        step = step.clone()
        holders[id(step)] = len(states)
        for state in states:
            state["step"] = step


def _restored(p: Tensor, group: dict[str, Any], saved: State, steps: dict[Any, Tensor]) -> State:
    """Return the state of `p` from a checkpoint, with the dtypes and strides of a new state.
    PyTorch's own `load_state_dict` would cast the state to the dtype of `p`.
    """
    fresh = _start(_example(p), group)
    found: State = {}
    for name in fresh.keys() & saved.keys():
        value = torch.as_tensor(saved[name]).to(p.device, fresh[name].dtype)
        if name == "step":
            value = steps.setdefault((p.device, value.item()), value.clone())
        elif value.shape == p.shape and value.stride() != p.stride():
            value = torch.empty_like(p, dtype=value.dtype).copy_(value)
        found[name] = value
    return found


def _example(p: Tensor) -> Tensor:
    return torch.empty((), dtype=p.dtype, device="meta")


@functools.cache
def _native() -> dict[str, Any]:
    """Return the options of PyTorch's optimizer, with their default values."""
    make: Callable[..., torch.optim.Optimizer] = torch.optim.AdamW
    return make([torch.zeros(())]).defaults
