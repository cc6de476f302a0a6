"""The part that knows no framework: checks of calls, descriptors, the choice of kernels."""
