"""What runs in the recorded processes: the standard library, numpy, and one framework."""
