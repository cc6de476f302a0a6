"""The framework-free part of the runtime: call checks, descriptors, and kernel choice."""
