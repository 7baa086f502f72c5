"""A run's life: the one place that moves runs and outcomes from state to state."""
