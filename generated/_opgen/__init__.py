"""opgen's runtime, which every rendered package needs. Do not edit it.

opgen 0.2.0 wrote this folder. It is the same in every package. The ops are next to it. With
`runtime = "package"` in `[tool.opgen]`, the distribution opgen-runtime replaces it.
"""

VERSION = "0.2.0"
# The hash of all files of the runtime in opgen.
HASH = "971d4cf9fbde"
