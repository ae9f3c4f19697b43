"""What computes layers' weights from other parameters: in a project that uses it, an attribute of a layer may be a plain tensor.

https://docs.pytorch.org/docs/2.13/generated/torch.nn.utils.parametrize.register_parametrization.html
"""

from __future__ import annotations

from collections.abc import Iterable

from mindport.source.file import SourceFile

#: As texts: a project names them in imports, by attributes, and hands them on.
_COMPUTING = ("weight_norm", "spectral_norm", "register_parametrization", "nn.utils.prune", "nn.utils import prune")


def computes_weights(files: Iterable[SourceFile]) -> bool:
    """Whether some file may have layers compute their weights."""
    return any(word in file.text for file in files for word in _COMPUTING)
