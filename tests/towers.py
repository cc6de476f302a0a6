""" "Towers": specs with one construct, many times side by side or nested in itself.

`tower(seed)` is a spec of at most 1 MB. The kinds of constructs alternate with the seed, modulo
`len(KINDS)`. The rest of the seed determines their number and how they are nested.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable

LARGEST = 1_000_000
DTYPES = ("f64", "f32", "bf16", "f16", "i64", "i32", "i16", "i8", "u8", "bool", "c64", "c128")
OPERATORS = ("+", "-", "*", "//", "%", "**")

Tower = Callable[[random.Random, int], tuple[str, str]]


def tower(seed: int) -> str:
    """Return the spec for a seed."""
    dice = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    size = dice.choice((8, 20, 40, 150, 600, 3_000, 20_000))
    while True:
        head, body = kind(dice, size)
        text = _spec(head, body)
        if len(text) <= LARGEST:
            return text
        size //= 2


def _spec(head: str, body: str) -> str:
    """Return a spec with the tables in `head` and an op that has the keys in `body`."""
    free = "" if "\nT = " in head else 'T = ["f32", "f64"]\n'
    table = head if "[dtypes]" in head else f"[dtypes]\n{head}"
    table = table.replace("[dtypes]\n", f"[dtypes]\n{free}", 1)
    own = {line.partition(" = ")[0].strip() for line in body.splitlines()}
    rest = [line for line in OP.splitlines() if line.partition(" = ")[0] not in own]
    return "spec = 1\n" + table + "\n[ops.tower]\n" + "\n".join([*rest, body]) + "\n"


OP = """doc = "A tower."
inputs.x = { dtype = "T", shape = "m n" }
outputs.y = { dtype = "T", shape = "m n" }
grad = "none"
sharding = "replicate"
kernels = ["cpu"]"""


def _lines(lines: Iterable[str]) -> str:
    return "\n".join(lines)


def _twice(dice: random.Random, name: str) -> str:
    """Return a random expression that contains `name` several times."""
    parts = [name] * dice.choice((2, 2, 3, 8))
    return f" {dice.choice(OPERATORS)} ".join(parts)


def let(dice: random.Random, size: int) -> tuple[str, str]:
    chain = [f'let.a{i} = "(a{i - 1} and a{i - 1}) or a{i - 1}"' for i in range(1, size)]
    use = f'require = ["a{size - 1}"]' if dice.random() < 0.5 else ""
    return "", _lines(['let.a0 = "m > 1"', *chain, use])


def flat_let(dice: random.Random, size: int) -> tuple[str, str]:
    long = " and ".join(["m > 1"] * 100)
    many = ", ".join(['"a and a"'] * size)
    return "", f'let.a = "{long}"\nrequire = [{many}]'


def dtypes(dice: random.Random, size: int) -> tuple[str, str]:
    step = dice.choice(
        (
            "D{0} if bits(D{0}) > 8 else D{0}",
            "promote(D{0}, D{0})",
            "accum(D{0})",
            "promote(D{0} if bits(D{0}) > 8 else T, accum(D{0}))",
        )
    )
    chain = [f'D{i} = "{step.format(i - 1)}"' for i in range(1, size)]
    head = _lines(['T = ["f32", "f64", "bf16"]', 'D0 = "T if bits(T) > 0 else T"', *chain])
    return head + "\n", f'outputs.y = {{ dtype = "D{size - 1}", shape = "m n" }}'


def own_dtypes(dice: random.Random, size: int) -> tuple[str, str]:
    step = dice.choice(
        (
            '{{ "by > {1}" = "D{0}", else = "D{0}" }}',
            '{{ "by > {1}" = "f32", else = "D{0}" }}',
            '"D{0} if by == {1} else D{0}"',
        )
    )
    chain = [f"dtypes.D{i} = {step.format(i - 1, i)}" for i in range(1, size)]
    last = f'outputs.y = {{ dtype = "D{size - 1}", shape = "m n" }}'
    return "", _lines(
        ['attrs.by = { type = "int" }', 'dtypes.D0 = "T if by > 0 else T"', *chain, last]
    )


def free_dtypes(dice: random.Random, size: int) -> tuple[str, str]:
    several = dice.choice((2, 5, 12))
    listed = ", ".join(f'"{d}"' for d in DTYPES[:several])
    head = [f"T{i} = [{listed}]" for i in range(size)]
    promoted = "T0"
    for i in range(1, min(size, 30)):
        promoted = f"promote({promoted}, T{i})"
    inputs = [f'inputs.x{i} = {{ dtype = "T{i}", shape = "m" }}' for i in range(size)]
    return _lines([*head, f'P = "{promoted}"']) + "\n", _lines(
        [*inputs, 'outputs.y = { dtype = "P", shape = "m" }']
    )


def dims(dice: random.Random, size: int) -> tuple[str, str]:
    chain = [f'dims.d{i} = "{_twice(dice, f"d{i - 1}")}"' for i in range(1, size)]
    use = f'outputs.y = {{ dtype = "T", shape = "d{size - 1}" }}'
    return "", _lines(['dims.d0 = "m*m"', *chain, use])


def cased_dims(dice: random.Random, size: int) -> tuple[str, str]:
    chain = [
        f'dims.d{i} = {{ "by == {i}" = "d{i - 1}*m", else = "d{i - 1}+1" }}' for i in range(1, size)
    ]
    use = f'outputs.y = {{ dtype = "T", shape = "d{size - 1}" }}'
    return "", _lines(['attrs.by = { type = "int" }', 'dims.d0 = "m"', *chain, use])


def solved(dice: random.Random, size: int) -> tuple[str, str]:
    chain = [
        f'inputs.x{i} = {{ dtype = "T", shape = "a{i}*a{i + 1} a{i}+{i}" }}' for i in range(size)
    ]
    return "", _lines(chain)


def defaults(dice: random.Random, size: int) -> tuple[str, str]:
    chain = [
        f'attrs.a{i} = {{ type = "int", default = "{_twice(dice, f"a{i - 1}")}" }}'
        for i in range(1, size)
    ]
    return "", _lines(['attrs.a0 = { type = "int" }', *chain])


def attrs(dice: random.Random, size: int) -> tuple[str, str]:
    kind = dice.choice(('type = "bool"', 'type = "int"', 'type = "str", choices = ["a", "b", "c"]'))
    value = {"b": "a{0}", "i": "a{0} > {0}", "s": "a{0} == 'b'"}[kind[8]]
    lines = [f"attrs.a{i} = {{ {kind} }}" for i in range(size)]
    joined = " and ".join(value.format(i) for i in range(min(size, 60)))
    whens = [
        f'outputs.y{i} = {{ dtype = "T", shape = "m", when = "{value.format(i)}" }}'
        for i in range(size)
    ]
    return "", _lines([*lines, *whens, f'require = ["{joined}"]'])


def choices(dice: random.Random, size: int) -> tuple[str, str]:
    listed = ", ".join(f'"c{i}"' for i in range(size))
    cases = ", ".join(f'"by == \'c{i}\'" = "f32"' for i in range(size))
    return "", _lines(
        [
            f'attrs.by = {{ type = "str", choices = [{listed}] }}',
            f'outputs.y = {{ dtype = {{ {cases}, else = "T" }}, shape = "m n" }}',
        ]
    )


def optionals(dice: random.Random, size: int) -> tuple[str, str]:
    shape = dice.choice(("m", "m{0}", '" "'.join(("m", "m n"))))
    inputs = [
        f'inputs.x{i} = {{ dtype = "T", shape = "{shape.format(i)}", optional = true }}'
        for i in range(size)
    ]
    asked = " or ".join(f"present(x{i})" for i in range(min(size, 50)))
    return "", _lines([*inputs, f'require = ["{asked}"]'])


def whens(dice: random.Random, size: int) -> tuple[str, str]:
    chain = [
        f'inputs.x{i} = {{ dtype = "T", shape = "m", when = "present(x{i - 1}) or by == {i}" }}'
        for i in range(1, size)
    ]
    first = 'inputs.x0 = { dtype = "T", shape = "m", optional = true }'
    return "", _lines(['attrs.by = { type = "int" }', first, *chain])


def forms(dice: random.Random, size: int) -> tuple[str, str]:
    several = dice.choice((2, 4, 9))
    listed = ", ".join(f'"{" ".join(["m"] * (n + 1))}"' for n in range(several))
    inputs = [f'inputs.x{i} = {{ dtype = "T", shape = [{listed}] }}' for i in range(size)]
    return "", _lines(inputs)


def cases(dice: random.Random, size: int) -> tuple[str, str]:
    listed = ", ".join(f'"by == {i} and m{{0}} > {i}" = "m n"' for i in range(min(size, 2_000)))
    inputs = [
        f'inputs.x{i} = {{ dtype = "T", shape = {{ {listed.format(i)}, else = "m m{i}" }} }}'
        for i in range(dice.choice((1, 4, 20)))
    ]
    return "", _lines(['attrs.by = { type = "int" }', *inputs])


def ranks(dice: random.Random, size: int) -> tuple[str, str]:
    inputs = [
        f'inputs.x{i} = {{ dtype = {{ "rank(x{i}) == {i % 9}" = "T", else = "f32" }},'
        f' shape = {{ "rank(x{i}) == 4" = "a b c d", "rank(x{i - 1}) == 4" = "a b", else = "a" }} }}'
        for i in range(1, size)
    ]
    return "", _lines(['inputs.x0 = { dtype = "T", shape = "*s" }', *inputs])


def shapes(dice: random.Random, size: int) -> tuple[str, str]:
    part = dice.choice(("a{0}", "*a{0}", "a{0}*2", "a{0}+a{1}", "m", "a{0}**a{1}"))
    terms = " ".join(part.format(i, i + 1) for i in range(size))
    texts = [
        terms[k : k + 900].partition(" ")[2].rpartition(" ")[0] for k in range(0, len(terms), 900)
    ]
    return "", _lines(
        f'inputs.x{k} = {{ dtype = "T", shape = "{text}" }}' for k, text in enumerate(texts)
    )


def like(dice: random.Random, size: int) -> tuple[str, str]:
    deep = [f'[templates.t{i}]\nlike = "t{i - 1}"\nvmap = "loop"' for i in range(1, size)]
    head = '[templates.t0]\nattrs.by = { type = "int" }\n' + _lines(deep)
    ops = [
        f'[ops.o{i}]\nlike = "t{size - 1}"\ndoc = "x"' for i in range(dice.choice((1, size, size)))
    ]
    return f"[dtypes]\n{head}\n{_lines(ops)}\n", f'like = "t{size - 1}"'


def filled(dice: random.Random, size: int) -> tuple[str, str]:
    name = "n" * 60
    text = "{name}" * 1_500
    ops = [f'[ops.{name}{i}]\nlike = "big"' for i in range(size)]
    return f'[dtypes]\n[templates.big]\ndoc = "{text}"\n{OP[16:]}\n{_lines(ops)}\n', ""


def wide_like(dice: random.Random, size: int) -> tuple[str, str]:
    keys = [f'inputs.x{i} = {{ dtype = "T", shape = "m" }}' for i in range(size)]
    ops = [f'[ops.o{i}]\nlike = "big"' for i in range(size)]
    return f"[dtypes]\n[templates.big]\n{OP}\n{_lines(keys)}\n{_lines(ops)}\n", ""


def bundles(dice: random.Random, size: int) -> tuple[str, str]:
    members = min(size, dice.choice((3, 30, 300)))
    listed = [
        f'b{i} = {{ dtype = "T", shape = "m n", optional = {str(i % 2 == 1).lower()} }}'
        for i in range(members)
    ]
    shared = ', rename = { m = "k", n = "l" }, optional = true'
    uses = [f'inputs.x{i} = {{ bundle = "big"{shared if i % 2 else ""} }}' for i in range(size)]
    return f"[dtypes]\n[bundles.big]\n{_lines(listed)}\n", _lines(uses)


def requires(dice: random.Random, size: int) -> tuple[str, str]:
    listed = ", ".join(f'"m % {i + 2} == 0 or n > {i}"' for i in range(size))
    return "", f"require = [{listed}]"


def nested(dice: random.Random, size: int) -> tuple[str, str]:
    text = "m"
    for i in range(min(size, 38)):
        text = f"({text} if m > {i} else n)"
    uses = [f'dims.d{i} = "{text}"' for i in range(min(size, 900))]
    return "", _lines([*uses, 'outputs.y = { dtype = "T", shape = "d0" }'])


def numbers(dice: random.Random, size: int) -> tuple[str, str]:
    texts = ("9**9**9", "m % 9**9**9 == 0", "2**63 == m", "'a'*999999999 == 'b'", "1e308*1e308 > 1")
    digits = dice.choice(("0x" + "f" * size, "9" * size, "1e" + "9" * size, "0b" + "1" * size))
    listed = ", ".join(f'"{dice.choice(texts)}"' for _ in range(min(size, 500)))
    return "", f"attrs.by = {{ type = 'int', default = {digits} }}\nrequire = [{listed}]"


def formulas(dice: random.Random, size: int) -> tuple[str, str]:
    names = [f"x{i}" for i in range(size)]
    inputs = [f'inputs.{n} = {{ dtype = "T", shape = "m n" }}' for n in names]
    text = " * ".join(["dy", *names[:150]])
    grads = [f'grad.formulas.{n} = "{text}"' for n in ("x", *names)]
    return "", _lines(
        [*inputs, *grads, 'sharding.split = ["m"]', "grad = " if dice.random() < 0 else ""]
    ).replace("grad = ", "")


def grad_cases(dice: random.Random, size: int) -> tuple[str, str]:
    listed = ", ".join(f'"by == {i}" = {{ formulas = {{ x = "by*dy" }} }}' for i in range(size))
    return "", f'attrs.by = {{ type = "int" }}\ngrad = {{ {listed}, else = "none" }}'


def backwards(dice: random.Random, size: int) -> tuple[str, str]:
    ops = [
        f"[ops.o{i}]\n" + OP.replace('grad = "none"', f'grad.backward = "o{i + 1}"')
        for i in range(size)
    ]
    listed = ", ".join(f'{{ op = "o{i}", args = {{ x = "dy*{i}" }} }}' for i in range(size))
    return f"[dtypes]\n{_lines(ops)}\n", f"grad = {{ backward = [{listed}] }}"


def kernels(dice: random.Random, size: int) -> tuple[str, str]:
    listed = ", ".join(
        f'{{ on = "cpu", symbol = "k{i}", require = ["m % {i + 1} == 0"] }}' for i in range(size)
    )
    symbols = ", ".join(f'"by == {i}" = "k{i}"' for i in range(size))
    value = dice.choice(
        (f"[{listed}]", f"[{{ on = 'cpu', symbol = {{ {symbols}, else = 'k' }} }}]")
    )
    return "", f'attrs.by = {{ type = "int" }}\nkernels = {value}'


def tunes(dice: random.Random, size: int) -> tuple[str, str]:
    keys = ", ".join(f"t{i} = [1, 2, 4, 8]" for i in range(size))
    return "", f"kernels = [{{ on = 'cpu', tune = {{ {keys} }} }}]"


def samples(dice: random.Random, size: int) -> tuple[str, str]:
    large = dice.choice(("2000000000", "[1, 2]", "'f32'", f"[{', '.join(['7'] * 200)}]"))
    return "", f"samples = [{', '.join(f'{{ m = {large}, n = {i} }}' for i in range(size))}]"


def fields(dice: random.Random, size: int) -> tuple[str, str]:
    lines = [
        f'descriptor.f{i} = {{ type = "i64", value = "{_twice(dice, "m")}" }}' for i in range(size)
    ]
    return "", _lines(lines)


def splits(dice: random.Random, size: int) -> tuple[str, str]:
    listed = ", ".join(f'"by == {i}" = ["m"]' for i in range(size))
    return "", _lines(
        [
            'attrs.by = { type = "int" }',
            f'sharding.split = {{ {listed}, else = ["m", "n"] }}',
        ]
    )


def stages(dice: random.Random, size: int) -> tuple[str, str]:
    ops = [f"[ops.o{i}]\n{OP}" for i in range(size)]
    listed = ", ".join(f'"o{dice.randrange(size)}"' for i in range(size))
    return (
        f"[dtypes]\n{_lines(ops)}\n",
        f"sharding = {{ split = ['m'], stages = {{ n = [{listed}] }} }}",
    )


def reductions(dice: random.Random, size: int) -> tuple[str, str]:
    names = " ".join(f"a{i}" for i in range(min(size, 150)))
    reduced = ", ".join(
        f"a{i} = {{ \"by == {i}\" = 'sum', else = 'mean(y)' }}" for i in range(min(size, 150))
    )
    outputs = [
        f'outputs.z{i} = {{ dtype = "T", shape = "m", reduce = {{ {reduced} }} }}'
        for i in range(min(size, 150))
    ]
    split = ", ".join(f'"a{i}"' for i in range(min(size, 150)))
    first = f'inputs.z = {{ dtype = "T", shape = "{names}" }}'
    return "", _lines(
        ['attrs.by = { type = "int" }', first, *outputs, f"sharding.split = [{split}]"]
    )


def ops(dice: random.Random, size: int) -> tuple[str, str]:
    return "[dtypes]\n" + _lines(f"[ops.o{i}]\n{OP}" for i in range(size)) + "\n", ""


def empty_ops(dice: random.Random, size: int) -> tuple[str, str]:
    section = dice.choice(("ops", "templates", "bundles", "other"))
    return "[dtypes]\n" + _lines(f"[{section}.o{i}]" for i in range(size * 2)) + "\n", ""


def mistakes(dice: random.Random, size: int) -> tuple[str, str]:
    line = dice.choice(
        (
            "colour{0} = 1",
            'inputs.x{0} = {{ dtype = "T{0}", shape = "m{0}", colour = {0} }}',
            'attrs.a{0} = {{ type = "integer" }}',
            'outputs.y{0} = {{ dtype = "T", shape = "a{0}b c{0}d" }}',
            'inputs.x{0} = "x"',
            'let.l{0} = "unknown{0} > present(q{0})"',
            'replaces = ["{0}"]\nreplaces = ["{0}"]',
            'dtypes.class{0} = "klass{0}"',
        )
    )
    return "", _lines(line.format(i) for i in range(size))


def suppressed(dice: random.Random, size: int) -> tuple[str, str]:
    lines = [
        f'let.l{i} = "unknown{i}"  # opgen: ignore[unknown-name,OG{i}] because' for i in range(size)
    ]
    return "", _lines(lines)


def texts(dice: random.Random, size: int) -> tuple[str, str]:
    listed = ", ".join(f'"tag {i}"' for i in range(size))
    return "", f'doc = "{"word " * min(size, 1_900)}"\nreplaces = [{listed}]'


def keys(dice: random.Random, size: int) -> tuple[str, str]:
    deep = ".".join(["a"] * size)
    line = dice.choice(
        (f"{deep} = 1", "# " + "x" * size, f"x = {'[' * size}1{']' * size}", "\t" * size)
    )
    return "", line


KINDS: tuple[Tower, ...] = (
    let,
    flat_let,
    dtypes,
    own_dtypes,
    free_dtypes,
    dims,
    cased_dims,
    solved,
    defaults,
    attrs,
    choices,
    optionals,
    whens,
    forms,
    cases,
    ranks,
    shapes,
    like,
    filled,
    wide_like,
    bundles,
    requires,
    nested,
    numbers,
    formulas,
    grad_cases,
    backwards,
    kernels,
    tunes,
    samples,
    fields,
    splits,
    stages,
    reductions,
    ops,
    empty_ops,
    mistakes,
    suppressed,
    texts,
    keys,
)
