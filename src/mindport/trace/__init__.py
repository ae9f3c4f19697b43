"""What a run of the user's PyTorch program shows: recorded in its process, read without any framework."""
