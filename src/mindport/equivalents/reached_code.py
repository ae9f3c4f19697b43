"""What code a function may run, as far as its text shows: the names that it mentions, and where it finds global ones."""

from types import FunctionType, MethodType

from mindport.equivalents.graph_constants import category, held_by, is_library


class Reached:
    """Follows a function into the functions, methods and cells that its text names; nothing is run.

    `names`: names of attributes and globals; `places`: the global ones, each with its namespace.
    """

    def __init__(self, forward):
        self.names, self.places = {"construct"}, {}
        size = -1
        while size != len(self.names):  # a method counts once its name was met
            size, self.seen = len(self.names), set()
            self.follow(forward)

    def follow(self, value):
        """Adds what a value mentions, and what hangs on it under names that were mentioned."""
        if isinstance(value, MethodType):
            self.follow(value.__self__)
            value = value.__func__
        what = category(type(value))
        if id(value) in self.seen or what in ("parameter", "content", "identity") and not isinstance(value, type):
            return
        self.seen.add(id(value))
        if isinstance(value, FunctionType):
            self.follow_function(value)
        elif what == "container":
            for part in value.values() if isinstance(value, dict) else value:
                self.follow(part)
        elif what in ("cell", "object"):
            self.follow_object(value, what)

    def follow_function(self, function):
        """A function's text, globals, closure and defaults."""
        if is_library(function.__globals__):
            return
        codes = [function.__code__]
        while codes:
            code = codes.pop()
            codes += [part for part in code.co_consts if hasattr(part, "co_names")]
            self.names.update(code.co_names)
            for name in code.co_names:
                if name in function.__globals__:
                    self.places[id(function.__globals__), name] = function.__globals__, name
                    self.follow(function.__globals__[name])
        for part in held_by(function):
            self.follow(part)

    def follow_object(self, value, what):
        """An object's methods and attributes that were mentioned; of a cell all its cells."""
        for owner in type(value).__mro__:
            for name, part in vars(owner).items():
                if name in self.names:
                    self.follow(getattr(part, "fget", part))
        attributes = getattr(value, "__dict__", {})
        for name, part in list(attributes.items()):
            if name in self.names:
                self.follow(part)
        if what == "cell":
            for part in attributes["_cells"].values():
                self.follow(part)
