"""Distribution: wheels, source distributions, folders for hubs."""
