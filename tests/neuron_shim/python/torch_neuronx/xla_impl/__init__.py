"""Stands for `torch_neuronx.xla_impl`."""
