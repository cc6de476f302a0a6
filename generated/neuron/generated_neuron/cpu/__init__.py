"""`generated_neuron`, on the CPU. Rendered by opgen."""
