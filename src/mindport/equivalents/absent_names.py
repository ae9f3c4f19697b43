"""Public names that are no operation: types, helper classes, constants of other interfaces."""

from mindport.declare import absent

absent(
    "torch.BFloat16Tensor", "torch.CharTensor", "torch.DoubleTensor", "torch.HalfTensor", "torch.ShortTensor",
    why="a legacy constructor by dtype: write torch.tensor(data, dtype=…), which has an equivalent",
    rung="equivalent",
)
absent(
    "torch.adjoint", "torch.fft.fftfreq", "torch.fft.rfftfreq", "torch.fill", "torch.imag", "torch.poisson", "torch.range",
    "torch.real", "torch.special.log_softmax", "torch.special.softmax", "torch.vander", "torch.vmap",
    why="no equivalent has been written",
    rung="packaged",
)
absent(
    "torch.layout",
    why="MindSpore's tensors have one memory layout: drop the type",
    rung="equivalent",
)
