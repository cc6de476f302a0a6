"""The reference functions of the specs, as their authors wrote them."""
