"""The lint rules about C++."""
