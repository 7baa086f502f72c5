"""What every stored exchange with a model has in common. Apps build on it; it imports none."""
