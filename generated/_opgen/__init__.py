"""opgen's runtime: what every rendered package needs and what knows no op. Not to be edited.

opgen 0.2.0 wrote this folder. It is the same in every package; what is about the ops is
beside it. With `runtime = "package"` in `[tool.opgen]` the distribution opgen-runtime has it.
"""

VERSION = "0.2.0"
# Of all files of the runtime, as opgen has them.
HASH = "55ab6e0d8695"
