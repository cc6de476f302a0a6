"""The ops for AWS Neuron: custom operators in C++, and NKI kernels."""

from opgen.spec.extensions import Extension, Platform

EXTENSION = Extension(
    title="Neuron",
    models="opgen.targets.neuron.models",
    lint="opgen.targets.neuron.lint",
    platforms=(
        Platform(
            "neuron",
            sources=("*_neuron.cpp", "*_neuron.cc", "*_neuron.cxx"),
            keys=("nki", "lnc", "legacy"),
            function="nki",
        ),
    ),
    together=True,  # a library holds ops of several families
)
