"""Samples of our own, for names that torch's OpInfo lacks. Importing this package registers them all."""

from __future__ import annotations
