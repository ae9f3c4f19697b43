"""A plain call of a torch name with made-up arguments, from its signature: a starting point for a reproduction."""

from __future__ import annotations

import re

from mindport.inference import torchfacts

#: What stands for a parameter, by its name first, because torch's annotations are often wide.
BY_NAME = {
    "dim": "0", "size": "(2, 3)", "n": "4", "dims": "(0,)", "tensor_list": "[torch.randn(3), torch.randn(2)]", "tensors": "[torch.randn(3), torch.randn(3)]", "dtype": "torch.float32", "num_classes": "3", "p": "0.5", "kernel_size": "2", "probs": "torch.tensor([0.2, 0.8])",
    "loc": "0.0", "scale": "1.0", "concentration": "1.0", "params": "[torch.nn.Parameter(torch.ones(3))]", "optimizer": "torch.optim.SGD([torch.nn.Parameter(torch.ones(3))], lr=0.1)",
    "module": "torch.nn.Linear(3, 2)", "model": "torch.nn.Linear(3, 2)", "func": "torch.sin", "fn": "torch.sin", "lr": "0.1", "target": "torch.tensor([0, 2])",
}  # fmt: skip
BY_TYPE = (
    (r"\bTensor\b.*\b(list|tuple|Sequence|List|Tuple)\b|\b(list|tuple|Sequence|List|Tuple)\[.*Tensor", "(torch.randn(3, 3), torch.randn(3, 3))"),
    (r"\bTensor\b", "torch.randn(3, 3)"),
    (r"\bbool\b|_bool", "True"),
    (r"_size|Sequence\[.*int|[Tt]uple\[.*int|[Ll]ist\[.*int", "(2, 3)"),
    (r"\bint\b|_int|SymInt", "1"),
    (r"\bfloat\b|_float|Number", "0.5"),
    (r"\bstr\b|_str", "'mean'"),
    (r"dtype", "torch.float32"),
    (r"Callable", "torch.sin"),
)


def sample_call(name: str) -> str:
    """``torch.cumsum(torch.randn(3, 3), 0)``: required arguments only; a method is called on a 3x3 tensor."""
    api = torchfacts.lookup(name)
    last = name.rpartition(".")[2]
    owner = "torch.randn(3, 3)" if name.startswith("torch.Tensor.") else name.rpartition(".")[0]
    if api is not None and api.kind in ("attribute", "constant"):
        return f"{owner}.{last}"
    given = []
    if api is not None and api.signatures:
        for parameter in api.signatures[0].parameters:
            if parameter.default is not None or parameter.kind.startswith("VAR_") or parameter.name == "self":
                continue
            value = _value(parameter)
            given.append(f"{parameter.name}={value}" if parameter.kind == "KEYWORD_ONLY" else value)
    return f"{owner}.{last}({', '.join(given)})"


def _value(parameter: torchfacts.TorchParameter) -> str:
    annotation = parameter.annotation or ""
    if parameter.name in BY_NAME and "Tensor" not in annotation:
        return BY_NAME[parameter.name]
    for pattern, value in BY_TYPE:
        if re.search(pattern, annotation):
            return value
    return BY_NAME.get(parameter.name, "torch.randn(3, 3)" if parameter.name in ("input", "x", "other", "tensor") else "...")
