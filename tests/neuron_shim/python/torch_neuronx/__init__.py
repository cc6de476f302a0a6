"""Stand-in for AWS Neuron's package `torch_neuronx`; see ../../README.md."""
