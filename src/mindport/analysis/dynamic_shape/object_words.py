"""How networks, services and settings are called, and what is asked of them: what they tell about themselves is the same in every step."""

from __future__ import annotations

#: Words in the names of networks and of what serves a step.
SERVICE_WORDS = frozenset((
    "model", "models", "net", "nets", "network", "networks", "module", "modules", "encoder", "decoder", "backbone", "head", "heads", "policy", "critic", "actor", "agent", "teacher", "student", "generator", "discriminator",
    "layer", "layers", "block", "blocks", "stages", "experts", "param", "parameters", "weights", "optimizer", "optim", "scheduler", "schedule", "criterion", "logger", "writer", "tokenizer", "vocab", "vocabulary", "device", "dtype", "shape",
    "levels", "pyramid", "scales", "sizes", "dims", "names", "keys", "fields", "columns", "classes", "loader", "dataloader", "dataset", "ctx",
))  # fmt: skip
#: Methods of networks, optimizers and loggers.
OF_SERVICES = frozenset((
    "parameters", "named_parameters", "modules", "named_modules", "train", "eval", "state_dict", "load_state_dict", "zero_grad", "step", "requires_grad_", "register_forward_hook", "add_scalar", "log", "info", "save_for_backward",
))  # fmt: skip
#: Words in the names of parameters that switch something on.
OF_SWITCHES = frozenset((
    "is", "use", "with", "return", "training", "train", "verbose", "debug", "flag", "mode", "normalize", "do", "need", "needs", "only", "strict", "inplace", "reverse", "bias", "causal", "deterministic", "sample", "eval", "has", "as", "should", "enable", "enabled",
    "requires", "no", "add", "keep", "pretrained", "bidirectional", "residual", "norm", "shuffle", "test", "distributed", "cuda", "gpu", "amp", "fp16", "half", "save", "plot", "show", "log", "print", "skip", "share", "shared", "learn", "freeze", "upsample", "downsample",
))  # fmt: skip
#: Last and first words of attributes that tell a setting, beside those of numbers.
OF_SETTINGS = frozenset(("mode", "id", "device", "dtype", "config", "training", "name", "kernel", "channels", "features", "classes", "steps"))
#: Packages of the standard library, and others of the host, that take texts, files and pictures apart.
READING_PACKAGES = frozenset(("json", "io", "re", "csv", "xml", "ast", "tokenize", "html", "email", "configparser", "difflib", "zipfile", "tarfile", "wave", "sqlite3", "skimage", "pickle", "shlex", "string", "textwrap", "unicodedata"))
#: How methods are called that find or make settings.
OF_MAKING = ("get", "make", "build", "create", "load", "from", "init", "register", "setup", "to", "set", "add", "log", "save", "write", "print", "state", "named")
#: Names of functions that no step runs.
SELDOM = frozenset(("load", "restore", "build", "setup", "register", "load_state_dict", "from_state", "main"))
