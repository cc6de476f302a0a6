"""A backward computes a result that nothing reads.

This rule checks each output that is present in every call of a backward. The output must be the
gradient of an input. Its name must be `d` and the input's name, or `grads` must name the output.

Why: usually a name is misspelt, and a gradient is lost.

Example: a backward with `outputs.dwieght` for a forward with `inputs.weight`.

How to fix: correct the name, or write `grads = { weight = "dwieght" }`. Or make the output
`optional`, so that the op computes it only on request.
"""

from opgen.lint.pairing import pairs
from opgen.lint.rule import Findings, OpContext, Rule, Stage
from opgen.source.diagnostics import nearest

RULE = Rule("OG408", "unread-gradient", Stage.MEANING, overrulable=True)


def check(op: OpContext) -> Findings:
    for pair in pairs(op):
        read = {output for _, output in pair.gradients}
        for name, tensor in pair.backward.spec.outputs.items():
            if name in read or not tensor.always:
                continue
            near = nearest(name, [f"d{n}" for n in op.spec.inputs])
            primal = near[1:] if near else "..."
            yield RULE.at(
                op.at(pair.path),
                f"nobody reads the output `{name}` of `{pair.backward.name}`",
                f'say whose gradient it is: `grads = {{ {primal} = "{name}" }}`',
            )
