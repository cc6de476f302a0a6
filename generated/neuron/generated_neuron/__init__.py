"""`generated_neuron`. Rendered by opgen."""
