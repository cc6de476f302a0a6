"""The ops for TPUs: Pallas kernels, which JAX compiles."""

from opgen.spec.extensions import Extension, Platform

EXTENSION = Extension(
    title="TPU",
    models="opgen.targets.tpu.models",
    lint="opgen.targets.tpu.lint",
    kernels={"pallas": "opgen.targets.tpu.kind"},
    platforms=(
        Platform(
            "tpu",
            keys=("pallas", "blocks"),
            function="pallas",
        ),
    ),
)
