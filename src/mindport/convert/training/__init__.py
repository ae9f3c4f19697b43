"""What a training step computes, and what it needs: names, liveness, where gradients flow, the region to move."""
