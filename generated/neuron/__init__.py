"""The ops for AWS Neuron. Rendered by opgen."""
