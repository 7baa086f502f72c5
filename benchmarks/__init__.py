"""What the product costs beside what people would write or use instead; docs/performance.md tells what came out."""
