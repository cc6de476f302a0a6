"""What leaves the machine: wheels, source distributions, folders for hubs."""
