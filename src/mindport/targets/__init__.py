"""What each MindSpore version offers, as shipped data: names, signatures, platforms."""

from mindport.targets.load import Param, Target, TargetApi, load, versions

__all__ = ["Param", "Target", "TargetApi", "load", "versions"]
