"""The part of the runtime without a framework: checks of calls, descriptors, choice of kernels."""
