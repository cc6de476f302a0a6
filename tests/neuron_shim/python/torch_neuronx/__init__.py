"""Stand-in for AWS Neuron's `torch_neuronx`; see ../../README.md."""
