"""The pipeline from spec files to opgen's intermediate representation (IR)."""
