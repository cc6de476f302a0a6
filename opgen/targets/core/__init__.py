"""The part of a package that works without a framework: it checks calls and packs descriptors."""
