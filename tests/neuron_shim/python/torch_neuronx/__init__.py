"""Stands for AWS Neuron's `torch_neuronx`: see the README two folders up."""
