"""Memory formats: hints about the order of elements in memory, of which MindSpore has one. Every place that takes one ignores it."""

from mindport.declare import constant

constant("torch.channels_last", "channels_last")
constant("torch.channels_last_3d", "channels_last_3d")
constant("torch.contiguous_format", "contiguous_format")
constant("torch.preserve_format", "preserve_format")
constant("torch.legacy_contiguous_format", "legacy_contiguous_format")
