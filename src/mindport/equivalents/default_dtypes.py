"""What torch makes in the default dtype: MindSpore's is float32, always, so where a project sets another it is written out at each place.

Read by `convert.written_dtypes`; nothing here runs. https://docs.pytorch.org/docs/2.13/generated/torch.set_default_dtype.html
"""

#: What sets it; the values that stand for float64.
SETTERS = ("torch.set_default_dtype", "torch.set_default_tensor_type")
DOUBLE = ("torch.float64", "torch.double", "torch.DoubleTensor", "torch.cuda.DoubleTensor")
GETTERS = ("torch.get_default_dtype",)

#: New tensors that have it where no ``dtype=`` is given.
MAKERS = (
    "torch.zeros", "torch.ones", "torch.empty", "torch.rand", "torch.randn", "torch.eye", "torch.linspace", "torch.logspace",
    "torch.hann_window", "torch.hamming_window", "torch.blackman_window", "torch.bartlett_window", "torch.kaiser_window",
    "torch.fft.fftfreq", "torch.fft.rfftfreq",
)
#: Those that have it where one of these arguments holds floating numbers of Python's.
OF_NUMBERS = {
    "torch.tensor": ("data",), "torch.as_tensor": ("data",), "torch.asarray": ("obj",), "torch.scalar_tensor": ("s",),
    "torch.full": ("fill_value",), "torch.arange": ("start", "end", "step"), "torch.normal": ("mean", "std"),
}
#: Its constructor by class.
CLASSES = {"torch.Tensor": "torch.DoubleTensor"}
#: Layers whose equivalent takes the dtype; the others' parameters are cast behind the call.
TAKES_DTYPE = ("torch.nn.Linear",)
#: Functions of whole numbers that give it.
FLOATING = (
    "sqrt", "rsqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan",
    "sigmoid", "reciprocal", "erf", "erfc", "deg2rad", "rad2deg", "true_divide", "div", "divide",
)
#: What makes tensors of Python's numbers inside of itself: where no argument is a tensor, and beside tensors, too.
OF_NUMBERS_ALONE = "torch.distributions."
OF_NUMBERS_BESIDE = ("torch.where", "torch.Tensor.where")
#: Parameters that are no numbers of such a tensor.
COUNTS = ("total_count", "validate_args", "temperature", "event_dim", "reinterpreted_batch_ndims", "dim", "cache_size")
