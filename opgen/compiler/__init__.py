"""The pipeline from spec files to the IR: parse, check, lint, resolve."""
