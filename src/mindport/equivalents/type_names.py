"""Names of Python's own that torch's modules pass on."""

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: UP035 - the names that torch passes on

from mindport.declare import constant

constant("torch.jit.annotations.Any", Any)
constant("torch.jit.annotations.Dict", Dict)  # noqa: UP006
constant("torch.jit.annotations.List", List)  # noqa: UP006
constant("torch.jit.annotations.Optional", Optional)
constant("torch.jit.annotations.Tuple", Tuple)  # noqa: UP006
constant("torch.jit.annotations.Union", Union)
