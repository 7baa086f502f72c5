"""What operators and their machines ask the service about itself: probes, metrics, traces. Apps build on it; it imports
none of them."""
