"""A spec with more combinations of options than opgen can list."""

from __future__ import annotations


def wide(more: str = "") -> str:
    """Return the text of a spec with an op that has three dozen conditions, and its backward.

    `more` is an extra line in the table of the op.
    """
    head = 'spec = 1\n[dtypes]\nT = ["f32", "f64"]\n'
    inputs, attrs, passed = [], [], []
    for n in range(18):
        attrs.append(f"attrs.p{n} = {{ type = 'bool', default = false }}")
        inputs.append(f'inputs.w{n} = {{ dtype = "T", shape = "k{n} n", when = "p{n}" }}')
        inputs.append(f'inputs.o{n} = {{ dtype = "T", shape = "n", optional = true }}')
        passed.append(f'outputs.do{n} = {{ dtype = "T", shape = "n", when = "present(o{n})" }}')
        passed.append(f'outputs.dw{n} = {{ dtype = "T", shape = "k{n} n", when = "p{n}" }}')
    x, y = '{ dtype = "T", shape = "m n" }', '{ dtype = "T", shape = "m n" }'
    required = sorted(inputs, key=lambda line: "optional" in line)
    rest = 'doc = "An op."\nsharding.split = ["m"]\nkernels = ["cpu"]\n'
    forward = [f"inputs.x = {x}", *required, *attrs, f"outputs.y = {y}", more]
    backward = [f"inputs.dy = {y}", *required, *attrs, f"outputs.dx = {x}", *passed]
    reduced = [line.replace(" }", ', reduce = { m = "sum" } }') for line in backward[-36:]]
    return (
        f'{head}[ops.wide]\n{rest}grad.backward = "wide_bwd"\n'
        + "\n".join(forward)
        + f'\n[ops.wide_bwd]\n{rest}grad = "none"\n'
        + "\n".join([*backward[:-36], *reduced])
        + "\n"
    )
