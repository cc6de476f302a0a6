"""The lint rules about `ir_json`."""
