"""Runs training scripts on either side; `shared.py` is what the scripts call, the same on both."""
