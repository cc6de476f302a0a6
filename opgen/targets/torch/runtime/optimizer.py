"""The base of the optimizers that are made of ops. Rendered by opgen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

import torch
from torch import Tensor

State = dict[str, Any]
# A dtype, or where it is not the dtype of a parameter, what it is by the dtype of that.
Dtypes = torch.dtype | Mapping[torch.dtype, torch.dtype]


class Optimizer(torch.optim.Optimizer):
    """Steps the parameters of a group by one call of an op.

    There are several calls where parameters differ in device, dtypes or mesh, or have not
    made the same steps. A subclass says what state a parameter starts with (`start`), and
    calls the op (`update`).

    `shared` names the state that is one scalar for all parameters of a call, the number of
    steps, say. Parameters that have made the same steps hold the same tensor; in a
    `state_dict` each has its own, as with the optimizers of PyTorch.
    """

    shared: ClassVar[tuple[str, ...]] = ()

    def start(self, p: Tensor, group: dict[str, Any]) -> State:
        """The state that parameter `p` starts with."""
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
        """Add a group. Raises what the op raises for parameters and options such as these."""
        super().add_param_group(param_group)
        group = self.param_groups[-1]
        try:
            for dtype in dict.fromkeys(p.dtype for p in group["params"]):
                p = torch.empty((), dtype=dtype, device="meta")
                self._update(group, [p], [p.clone()], [self.start(p, group)])
        except Exception:
            self.param_groups.pop()
            raise

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update all parameters that have a gradient; the loss, where `closure` computes it."""
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
                self._update(group, params, [p.grad for p in params], states)
        return loss

    def state_dict(self) -> dict[str, Any]:
        """As of PyTorch's optimizers; see `torch.optim.Optimizer.state_dict`."""
        found = super().state_dict()
        found["state"] = {
            key: {n: v.clone() if n in self.shared else v for n, v in state.items()}
            for key, state in found["state"].items()
        }
        return found

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Load a checkpoint; see `torch.optim.Optimizer.load_state_dict`.

        State gets the dtype that new state would have.
        """
        saved: dict[str, Any] = {}
        # What other hooks have made of it: hooks run in the order of registration.
        hook = self.register_load_state_dict_pre_hook(lambda _, d: saved.update(d))
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
        super().__setstate__(state)
        for group in self.param_groups:  # of a checkpoint that lacks an option
            for name, value in self.defaults.items():
                group.setdefault(name, value)

    # -- who goes together -----------------------------------------------------------------

    def _params(self) -> Iterator[tuple[Tensor, dict[str, Any]]]:
        """Every parameter with its group."""
        return ((p, group) for group in self.param_groups for p in group["params"])

    def _start(self, group: dict[str, Any]) -> None:
        """Give state to parameters that have a gradient for the first time."""
        scalars: dict[Any, Tensor] = {}
        for p in group["params"]:
            if p.grad is not None and not self.state[p]:
                state = self.start(p, group)
                for name in self.shared:
                    state[name] = scalars.setdefault((name, p.device), state[name])
                self.state[p].update(state)

    def _holders(self) -> Counter[int]:
        """How many parameters hold each of the scalars that may be shared."""
        states = self.state.values()
        return Counter(id(s[n]) for s in states for n in self.shared if n in s)

    def _batches(self, group: dict[str, Any]) -> list[list[Tensor]]:
        """The parameters that have a gradient, by the call that they go into."""
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
        """Take scalars from those who hold them too, but make no step this time."""
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
        """Update parameters whose state goes by the same names."""
        lists = {n: [s[n] for s in states] for n in states[0] if n not in self.shared}
        scalars = {name: states[0][name] for name in self.shared}
        self.update(group, params, grads, {**lists, **scalars})

    def _restore(self, p: Tensor, group: dict[str, Any], saved: State, scalars: dict[Any, Tensor]) -> None:  # fmt: skip
        """The state of `p` as it was saved: PyTorch has cast it to the dtype of `p`."""
        fresh = self.start(torch.empty((), dtype=p.dtype, device="meta"), group)
        for name in fresh.keys() & saved.keys():
            value = torch.as_tensor(saved[name]).to(p.device, fresh[name].dtype)
            if name in self.shared:
                key = name, p.device, value.item()
                value = scalars.setdefault(key, value.clone())
            elif value.shape == p.shape and value.stride() != p.stride():
                value = torch.empty_like(p, dtype=value.dtype).copy_(value)
            self.state[p][name] = value


def scalar(value: Any, p: Tensor, dtypes: Dtypes = {}) -> Any:
    """An option as an op takes it beside `p`: a tensor of one element becomes a scalar."""
    if isinstance(value, Tensor):
        fixed = isinstance(dtypes, torch.dtype)
        dtype = dtypes if fixed else dtypes.get(p.dtype, p.dtype)
        return value.to(p.device, dtype).reshape(())
    return value
