"""The op's AdamW agrees with `torch.optim.AdamW`."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable, Sequence

import pytest
import torch
from torch import nn
from torch.optim import lr_scheduler

import generated.torch._adamw_torch as module
from generated.torch import AdamW

SHAPES = [(37, 5), (), (0, 3), (1,), (4, 3, 5)]
OPTIONS = [
    {},
    {"amsgrad": True, "weight_decay": 0.3},
    {"maximize": True, "betas": (0.0, 0.9), "eps": 1e-3},
]
SCHEDULERS = {
    "step": lambda o: lr_scheduler.StepLR(o, 3, 0.5),
    "cosine": lambda o: lr_scheduler.CosineAnnealingLR(o, 9),
    "one cycle": lambda o: lr_scheduler.OneCycleLR(o, 0.1, total_steps=21),  # changes betas, too
    "plateau": lambda o: lr_scheduler.ReduceLROnPlateau(o, patience=1),
}


def params(dtype: torch.dtype = torch.float32, seed: int = 0) -> list[nn.Parameter]:
    generator = torch.Generator().manual_seed(seed)
    return [nn.Parameter(torch.randn(s, generator=generator).to(dtype)) for s in SHAPES]


def pair(dtype: torch.dtype = torch.float32, **options):
    """Return our optimizer and PyTorch's, each with separate parameters."""
    own, theirs = params(dtype), params(dtype)
    return AdamW(own, **options), torch.optim.AdamW(theirs, foreach=False, **options)


def all_params(optimizer: torch.optim.Optimizer) -> list[torch.Tensor]:
    return [p for group in optimizer.param_groups for p in group["params"]]


def give(
    optimizers: Sequence[torch.optim.Optimizer], seed: int, absent: Sequence[int] = ()
) -> None:
    """Give all optimizers the same gradients, but none to the parameters `absent`."""
    generator = torch.Generator().manual_seed(seed)
    lists = [all_params(optimizer) for optimizer in optimizers]
    for n, same in enumerate(zip(*lists)):
        grad = torch.randn(same[0].shape, generator=generator, dtype=torch.float64)
        for p in same:
            p.grad = None if n in absent else grad.to(torch.bfloat16).to(p.dtype)


def close(ours, theirs, factor: float = 16) -> None:
    for a, b in zip(all_params(ours), all_params(theirs), strict=True):
        eps = torch.finfo(a.dtype).eps
        torch.testing.assert_close(a, b, rtol=factor * eps, atol=factor * eps)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_twenty_steps(dtype: torch.dtype, options: dict) -> None:
    """Results are as near to AdamW in float64 as PyTorch's own, within one rounding."""
    ours, native = pair(dtype, lr=1e-2, **options)
    exact = torch.optim.AdamW(
        [nn.Parameter(p.detach().double()) for p in params(dtype)], lr=1e-2, **options
    )
    for step in range(20):
        give((ours, native, exact), step)
        for optimizer in (ours, native, exact):
            optimizer.step()
    rounding = max(torch.finfo(dtype).eps, torch.finfo(torch.float32).eps)
    for a, b, c in zip(*map(all_params, (ours, native, exact))):
        assert a.dtype == dtype
        if c.numel():
            error, theirs = (float((x - c).detach().abs().max()) for x in (a, b))
            assert error <= 1.5 * theirs + 4 * rounding * float(c.detach().abs().max())


RATES = {
    "number": float,
    "f32": torch.tensor,
    "f64": lambda x: torch.tensor(x, dtype=torch.float64),
}


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_fifty_steps_in_float64(options: dict, rate: str) -> None:
    """A learning rate is not rounded to f32: parameters of f64 keep all digits."""
    lr = RATES[rate](1e-2)
    ours, native = pair(torch.float64, lr=float(lr), **options)
    ours = AdamW(all_params(ours), lr=lr, **options)
    for step in range(50):
        give((ours, native), step)
        ours.step()
        native.step()
    close(ours, native, factor=8)


@pytest.mark.parametrize("tensor", [False, True], ids=["float", "tensor"])
def test_groups_have_options_of_their_own(tensor: bool) -> None:
    lr = (lambda x: torch.tensor([x])) if tensor else float
    found = []
    for make in (AdamW, torch.optim.AdamW):
        own = params()
        groups = [
            {"params": own[:2], "lr": lr(1e-1), "weight_decay": 0.0},
            {"params": own[2:4], "betas": (0.5, 0.7)},
        ]
        found.append(make(groups, lr=lr(1e-2)))
        found[-1].add_param_group({"params": own[4:], "amsgrad": True})
    for step in range(5):
        give(found, step)
        for optimizer in found:
            optimizer.step()
    close(*found)


@pytest.mark.parametrize("name", SCHEDULERS)
def test_schedulers(name: str) -> None:
    found = pair(lr=1e-2)
    schedulers = [SCHEDULERS[name](optimizer) for optimizer in found]
    for step in range(20):
        give(found, step)
        for optimizer, scheduler in zip(found, schedulers):
            optimizer.step()
            scheduler.step(*([1.0] if name == "plateau" else []))
    assert found[0].param_groups[0]["lr"] == found[1].param_groups[0]["lr"] != 1e-2
    close(*found, factor=64)


@pytest.mark.parametrize("saved", [False, True], ids=["state_dict", "file"])
@pytest.mark.parametrize("options", OPTIONS[:2], ids=str)
def test_checkpoints_go_over_to_pytorch_and_back(options: dict, saved: bool) -> None:
    ours, native = pair(lr=1e-2, **options)

    def checkpoint(optimizer: torch.optim.Optimizer) -> dict:
        if not saved:
            return copy.deepcopy(optimizer.state_dict())
        file = io.BytesIO()
        torch.save(optimizer.state_dict(), file)
        file.seek(0)
        return torch.load(file, weights_only=True)

    for step in range(12):
        absent = (1,) if step == 3 else ()
        give((ours, native), step, absent)
        ours.step()
        native.step()
        if step % 4 == 3:
            mine, theirs = checkpoint(ours), checkpoint(native)
            assert mine["state"].keys() == theirs["state"].keys()
            for key, state in theirs["state"].items():
                assert mine["state"][key].keys() == state.keys()
                assert mine["state"][key]["step"] == state["step"]
            ours.load_state_dict(theirs)
            native.load_state_dict(mine)
    close(ours, native, factor=64)
    assert [int(ours.state[p]["step"]) for p in all_params(ours)] == [12, 11, 12, 12, 12]


def test_a_checkpoint_without_an_option_or_with_a_step_that_is_a_number() -> None:
    ours, native = pair(lr=1e-2)
    give((ours, native), 0)
    native.step()
    saved = copy.deepcopy(native.state_dict())
    del saved["param_groups"][0]["maximize"]
    for state in saved["state"].values():
        state["step"] = 1
    ours.load_state_dict(saved)
    assert ours.param_groups[0]["maximize"] is False
    with torch.no_grad():
        for a, b in zip(all_params(ours), all_params(native)):
            a.copy_(b)
    give((ours, native), 1)
    ours.step()
    native.step()
    close(ours, native)


OWN = {"params", "lr", "betas", "eps", "weight_decay", "amsgrad", "maximize"}


@pytest.mark.parametrize(
    "options",
    [
        {"foreach": True},
        {"fused": True, "maximize": True},
        {"capturable": True},
        {"differentiable": True, "amsgrad": True},
        {"lr": torch.tensor(1e-2), "betas": (torch.tensor(0.5), torch.tensor(0.9))},
    ],
    ids=str,
)
def test_groups_hold_options_of_their_own_alone(options: dict) -> None:
    """Parameter groups have only options that AdamW itself uses.

    PyTorch's options about execution are dropped from a loaded state, and its steps continue.
    """
    theirs = torch.optim.AdamW(params(), **{"foreach": False, **options})
    ours = AdamW(params(), lr=1.0)
    fill = lambda o: [setattr(p, "grad", p.detach().clone()) for p in all_params(o)]  # noqa: E731
    if not {"capturable", "differentiable"} & options.keys():  # need CUDA, or no leaf
        fill(theirs)
        theirs.step()
    ours.load_state_dict(copy.deepcopy(theirs.state_dict()))
    assert {*ours.param_groups[0]} == OWN == {*ours.defaults} | {"params"}
    with torch.no_grad():
        for a, b in zip(all_params(ours), all_params(theirs)):
            a.copy_(b)
    for group in (*theirs.param_groups, theirs.defaults):
        group.update(capturable=False, differentiable=False)
    for optimizer in (ours, theirs):
        fill(optimizer)
        optimizer.step()
    close(ours, theirs)
    for other in (copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        other.add_param_group({"params": params()})
        assert all({*group} == OWN for group in other.param_groups)


def test_a_checkpoint_has_the_options_of_pytorch() -> None:
    """A checkpoint has all options of PyTorch's AdamW.

    Code that reads each option can load it, and so can our AdamW.
    """
    ours, native = pair(lr=1e-2, maximize=True)
    assert [
        {**g, "foreach": None} for g in native.state_dict()["param_groups"]
    ] == ours.state_dict()["param_groups"]
    assert {*ours.param_groups[0]} == OWN

    class Own(AdamW):
        """The same optimizer with another class name."""

    other = Own(params())
    other.load_state_dict(ours.state_dict())
    assert {*other.param_groups[0]} == OWN and other.param_groups[0]["maximize"]


def test_options_that_compute_something_else_are_refused() -> None:
    theirs = torch.optim.Adam(params(), weight_decay=0.1)  # whose weight decay works differently
    ours = AdamW(params(), lr=0.5)
    before = copy.deepcopy(ours.state_dict())
    text = "^AdamW: decoupled_weight_decay: expected True, got False$"
    with pytest.raises(ValueError, match=text):
        ours.load_state_dict(theirs.state_dict())
    assert str(ours.state_dict()) == str(before)
    with pytest.raises(ValueError, match=text):
        ours.add_param_group({"params": params(), "decoupled_weight_decay": False})
    assert len(ours.param_groups) == 1
    ours.add_param_group({"params": params(), "fused": True, "name": "more"})
    assert {*ours.param_groups[1]} == OWN | {"name"}


def test_a_state_of_other_names_is_refused() -> None:
    """A state with other names is refused.

    If it were loaded, the first step would find no state.
    """
    ours, _ = pair(lr=0.5)
    theirs = torch.optim.SGD(params(), momentum=0.9)
    give([theirs], 0)
    theirs.step()
    text = "^AdamW: state: expected exp_avg, exp_avg_sq, step, got momentum_buffer$"
    with pytest.raises(ValueError, match=text):
        ours.load_state_dict(theirs.state_dict())
    assert not ours.state and ours.param_groups[0]["lr"] == 0.5


def test_what_schedulers_and_users_keep_in_groups_is_loaded() -> None:
    ours, other = pair(lr=1e-2)[0], AdamW(params())
    lr_scheduler.StepLR(ours, 3, 0.5)
    ours.param_groups[0]["name"] = "all"
    other.load_state_dict(ours.state_dict())
    assert other.param_groups[0]["name"] == "all"
    lr_scheduler.StepLR(other, 3, 0.5, last_epoch=5)  # which needs `initial_lr`


def test_state_wider_than_its_parameter_is_loaded_as_it_is() -> None:
    """State that is wider than its parameter keeps its dtype.

    PyTorch casts state to the parameter's dtype, in which 1e-8 may be 0.
    """
    optimizer = AdamW([nn.Parameter(torch.ones(3, dtype=torch.float16))])
    give([optimizer], 0)
    optimizer.step()
    saved = optimizer.state_dict()
    saved["state"][0]["exp_avg_sq"] = torch.full((3,), 1e-8)
    optimizer.load_state_dict(saved)
    (state,) = optimizer.state.values()
    assert state["exp_avg_sq"].dtype == torch.float32
    assert torch.equal(state["exp_avg_sq"], torch.full((3,), 1e-8))


def test_hooks_see_and_change_what_is_loaded() -> None:
    (optimizer, _), (other, _) = pair(), pair(lr=1.0)
    give([optimizer, other], 0)
    optimizer.step()
    other.step()
    changed = optimizer.state_dict()
    changed["state"][0]["step"] = torch.tensor(7.0)
    other.register_load_state_dict_pre_hook(lambda *_: changed)
    other.load_state_dict(other.state_dict())
    steps = [int(other.state[p]["step"]) for p in all_params(other)]
    assert steps == [7, 1, 1, 1, 1] and other.param_groups[0]["lr"] == 1e-3


def test_each_parameter_has_a_step_of_its_own_in_a_checkpoint() -> None:
    """In a checkpoint each parameter has a separate step tensor.

    Loading into the tensors of a state_dict writes to each of them.
    """
    ours, _ = pair()
    give([ours], 0)
    ours.step()
    steps = [state["step"] for state in ours.state_dict()["state"].values()]
    for n, step in enumerate(steps):
        step.fill_(n)
    assert [int(step) for step in steps] == [0, 1, 2, 3, 4]
    assert all(int(state["step"]) == 1 for state in ours.state.values())


def test_parameters_without_a_gradient_wait() -> None:
    """Parameters without a gradient keep their state, step and version; the others are updated."""
    found = pair(lr=1e-2)
    for step, absent in enumerate([(0, 1), (), (2,), (0, 4), (), (1,)]):
        give(found, step, absent)
        before = [p._version for p in all_params(found[0])]
        for optimizer in found:
            optimizer.step()
        moved = [p._version > v for p, v in zip(all_params(found[0]), before)]
        assert moved == [n not in absent for n in range(len(SHAPES))]
    close(*found)
    for p, q in zip(*map(all_params, found)):
        assert found[0].state[p]["step"] == found[1].state[q]["step"]


def test_one_call_for_what_goes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    op = module.adamw_
    monkeypatch.setattr(module, "adamw_", lambda p, *a, **k: (calls.append(len(p)), op(p, *a, **k)))
    narrow = [nn.Parameter(p.detach().bfloat16()) for p in params()]
    optimizer = AdamW([*params(), *narrow])
    steps = lambda: {id(state["step"]) for state in optimizer.state.values()}  # noqa: E731
    calls.clear()
    give([optimizer], 0)
    optimizer.step()
    assert sorted(calls) == [5, 5]
    for make in (copy.deepcopy, lambda o: pickle.loads(pickle.dumps(o))):
        other = make(optimizer)
        give([other], 1)
        calls.clear()
        other.step()
        assert sorted(calls) == [5, 5]
        assert all(int(state["step"]) == 2 for state in other.state.values())
    assert len(steps()) == 2


@pytest.mark.parametrize("fused", [False, True])
def test_a_loss_scaler(fused: bool) -> None:
    """With a loss scaler, steps with overflowing gradients are skipped, as in PyTorch.

    In PyTorch, the scaler skips them, or the kernel of a fused optimizer.
    """
    found, models, scalers = [], [], []
    for make in (AdamW, lambda p, lr: torch.optim.AdamW(p, lr=lr, fused=fused)):
        torch.manual_seed(0)
        models.append(nn.Linear(5, 3))
        found.append(make(models[-1].parameters(), lr=1e-2))
        scalers.append(torch.amp.GradScaler("cpu", init_scale=2.0**15))
    for step in range(20):
        x = torch.randn(4, 5, generator=torch.Generator().manual_seed(step))
        for model, optimizer, scaler in zip(models, found, scalers):
            optimizer.zero_grad()
            loss = model(x).square().mean() * (torch.inf if step % 7 == 3 else 1.0)
            scaler.scale(loss).backward()
            if step % 2:
                scaler.unscale_(optimizer)
            scaler.step(optimizer)
            scaler.update()
        if step == 10:  # the options of these steps tell how to skip
            found[0].load_state_dict(copy.deepcopy(found[1].state_dict()))
    assert scalers[0].get_scale() == scalers[1].get_scale() < 2.0**15
    assert all(int(state["step"]) == 17 for state in found[0].state.values())
    close(*found)


def test_a_closure_gives_the_loss() -> None:
    x = nn.Parameter(torch.tensor(2.0))
    optimizer = AdamW([x], lr=1e-2)

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = x.square()
        loss.backward()
        return loss

    assert optimizer.step(closure) == 4.0 and x < 2.0
    optimizer.zero_grad()
    assert optimizer.step() is None  # no parameter has a gradient


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_compiled_steps(dtype: torch.dtype) -> None:
    """A compiled step is one graph, and a tensor for `lr` avoids recompiling."""
    torch._dynamo.reset()
    lr = torch.tensor(1e-2, dtype=dtype)
    ours, native = pair(dtype, lr=lr)
    ours, native = AdamW(all_params(ours), lr=lr), torch.optim.AdamW(all_params(native), lr=lr)
    compiled = torch.compile(ours.step, fullgraph=True, backend="aot_eager")
    for step in range(6):
        give((ours, native), step)
        with torch._dynamo.config.patch(error_on_recompile=step > 2):
            compiled()
        native.step()
        lr.mul_(0.9)
    torch._dynamo.reset()  # because the op is compiled a limited number of times
    close(ours, native)
    assert all(int(state["step"]) == 6 for state in ours.state.values())


WRONG: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "betas": (
        lambda: AdamW(params(), betas=(0.9, 1.5)),
        ValueError,
        r"adamw_: requires beta2 < 1.0, got beta2 = 1.5",
    ),
    "beta1 of 1": (
        lambda: AdamW(params(), betas=(1.0, 0.9)),
        ValueError,
        r"adamw_: requires beta1 < 1.0, got beta1 = 1.0",
    ),
    "beta2 of 1": (
        lambda: AdamW(params(), betas=(0.9, 1.0)),
        ValueError,
        r"adamw_: requires beta2 < 1.0, got beta2 = 1.0",
    ),
    "a negative lr": (
        lambda: AdamW(params(), lr=-1.0),
        ValueError,
        "AdamW: lr: expected lr >= 0, got -1.0",
    ),
    "an lr of NaN": (
        lambda: AdamW(params(), lr=torch.tensor(torch.nan)),
        ValueError,
        "AdamW: lr: expected lr >= 0, got nan",
    ),
    "eps": (
        lambda: AdamW(params(), eps=-1.0),
        ValueError,
        "adamw_: eps: expected at least 0.0, got -1.0",
    ),
    "lr": (lambda: AdamW(params(), lr="high"), TypeError, "adamw_: lr: expected"),
    "dtype": (
        lambda: AdamW(params(torch.complex64)),
        TypeError,
        "adamw_: params: expected dtype .*, got c64",
    ),
    "nothing": (lambda: AdamW([]), ValueError, "empty parameter list"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_options_are_reported_at_once(name: str) -> None:
    make, error, text = WRONG[name]
    with pytest.raises(error, match=text):
        make()


def test_moments_in_bfloat16_of_parameters_in_float32() -> None:
    ours, wide = AdamW(params()), AdamW(params())
    give([ours, wide], 0)
    for optimizer in (ours, wide):
        optimizer.step()
    for state in ours.state.values():
        for name in ("exp_avg", "exp_avg_sq"):
            state[name] = state[name].bfloat16()
    for optimizer in (ours, wide):
        optimizer.step()
    assert all(state["exp_avg"].dtype == torch.bfloat16 for state in ours.state.values())
    for mine, theirs in zip(all_params(ours), all_params(wide)):
        torch.testing.assert_close(mine, theirs, rtol=1e-2, atol=1e-4)


def test_a_refused_group_is_not_added() -> None:
    optimizer = AdamW(params())
    with pytest.raises(ValueError, match="adamw_: eps"):
        optimizer.add_param_group({"params": params(), "eps": -1.0})
    assert len(optimizer.param_groups) == 1


def test_sparse_gradients_are_refused_by_name() -> None:
    weight = nn.Parameter(torch.randn(4, 3))
    optimizer = AdamW([weight])
    nn.functional.embedding(torch.tensor([1]), weight, sparse=True).sum().backward()
    with pytest.raises(TypeError, match="AdamW: expected dense gradients, got a torch.sparse_coo"):
        optimizer.step()


def test_parameters_in_another_order_of_memory() -> None:
    """State has its parameter's memory order, even after loading a row-major checkpoint."""
    found = []
    for make in (AdamW, torch.optim.AdamW):
        values = torch.arange(24.0).reshape(2, 3, 2, 2)
        p = nn.Parameter(values.to(memory_format=torch.channels_last))
        found.append(make([p], lr=1e-2))
    for step in range(4):
        give(found, step)
        for optimizer in found:
            optimizer.step()
        saved = copy.deepcopy(found[1].state_dict())
        for name in ("exp_avg", "exp_avg_sq"):
            saved["state"][0][name] = saved["state"][0][name].contiguous()
        found[0].load_state_dict(saved)
    close(*found)
    (state,) = found[0].state.values()
    assert state["exp_avg"].stride() == all_params(found[0])[0].stride()
