"""An NKI kernel has a launch that no supported SDK performs.

This rule checks that `lnc`, the allowed numbers of cores, lists 1, 2 or both. An NKI kernel
may have a `grid` only with `legacy = "grid"`. Only NKI kernels may have `lnc` and `legacy`.

Why: a logical core has one or two physical cores, and a kernel runs once on each of them:
`kernel[1](...)` or `kernel[2](...)`. The Neuron documentation has this rule since SDK 2.27 (NKI,
Using Logical Neuron Cores). SDK 2.31 announced that any other launch grid becomes a compile-time
error. A kernel loops over its tiles. It divides them among the cores by `nl.program_id(0)` and
`nl.num_programs(0)`.

Example:

    kernels        = [{ on = "neuron", nki = "add/nki_add.py:add", grid = ["m // 128", "n // 512"] }]

How to fix: loop over the tiles in the kernel, and write `lnc = [1, 2]`. If the op must still
support an old SDK, keep the grid and add `legacy = "grid"`.
"""

from opgen.lint.rule import Findings, OpContext, Rule, Stage

RULE = Rule("OG812", "neuron-launch", Stage.NAMES)
CORES = (1, 2)


def check(op: OpContext) -> Findings:
    for kernel in op.spec.kernels_for("neuron"):
        if "nki" not in kernel.given:
            for key in ("lnc", "legacy"):
                if key in kernel.given:
                    where = op.at((*kernel.path, key), "key")
                    yield RULE.at(where, f"`{key}` without `nki`", "name an NKI kernel")
            continue
        lnc, legacy = kernel.options["lnc"], kernel.options["legacy"]
        if lnc is not None and (not lnc or not {*lnc} <= {*CORES}):
            message = "an NKI kernel is launched on 1 or 2 cores"
            yield RULE.at(op.at((*kernel.path, "lnc")), message, "write `lnc = [1, 2]`")
        if "grid" in kernel.given and legacy != "grid":
            message = (
                "no supported SDK launches an NKI kernel on a grid: SDK 2.31 announced the end"
            )
            help_ = "loop over the tiles in the kernel, and write `lnc = [1, 2]`"
            yield RULE.at(op.at((*kernel.path, "grid"), "key"), message, help_)
        if legacy == "grid" and "grid" not in kernel.given:
            where = op.at((*kernel.path, "legacy"))
            yield RULE.at(where, '`legacy = "grid"` without `grid`', "add the grid of old SDKs")
