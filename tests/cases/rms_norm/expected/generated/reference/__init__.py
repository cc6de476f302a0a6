"""The specs and the Python files that they name, as their authors wrote them."""
