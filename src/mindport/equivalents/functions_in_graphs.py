"""Lambdas and default arguments as MindSpore's compiler can read them.

It looks the names of default arguments up where a function is called, not where it was made (``def embed(x, eo=embedder)`` inside of another function),
and does not find the text of a lambda in the middle of a call (``functions.append(lambda x, f=f: …)``). Here such names are those of the values
that the function holds, and a lambda is compiled as a function of its text. What is read this way is compared before each run like all else (`Reached`).
"""

import ast
import inspect
import itertools
import linecache
import sys
from functools import wraps
from textwrap import dedent, indent
from types import CellType, FunctionType

import mindspore as ms  # noqa: F401 (loads the compiler)

#: The module of MindSpore's compiler that reads functions: up to 2.8, and since.
READERS = ("mindspore._extends.parse.parser", "mindspore.graph._parse.parser")

#: By the code of a lambda or function, that of its text; None where that is not found.
WRITTEN = {}
NUMBERS = itertools.count()


def texts_of(code):
    """The lambdas and functions that stand where a code begins and take its arguments."""
    tree = ast.parse("".join(inspect.findsource(code)[0]))
    wanted = list(code.co_varnames[: code.co_argcount])
    found = (node for node in ast.walk(tree) if isinstance(node, (ast.Lambda, ast.FunctionDef)) and node.lineno == code.co_firstlineno)
    return [node for node in found if [one.arg for one in (*node.args.posonlyargs, *node.args.args)] == wanted]


def named_anew(arguments):
    """Gives default arguments that are no literals names of their own, which no argument has; the names."""
    names = []
    for held in (arguments.defaults, arguments.kw_defaults):
        for place, text in enumerate(held):
            if text is not None and not isinstance(text, ast.Constant):
                names.append(f"default_{len(names)}")
                held[place] = ast.Name(names[-1], ast.Load())
    return names


def written_out(code):
    """The code of ``def function(…): return …`` in a text of its own, with the same names from around it; None where that is not possible."""
    try:
        found = texts_of(code)
    except (OSError, SyntaxError):
        return None
    if len({ast.unparse(node) for node in found}) != 1:
        return None
    node = found[0]
    around = sorted({*code.co_freevars, *named_anew(node.args)})
    if isinstance(node, ast.Lambda):
        node = ast.parse(f"def function({ast.unparse(node.args)}):\n    return {ast.unparse(node.body)}").body[0]
    node.name, node.returns, node.decorator_list = "function", None, []
    for one in ast.walk(node.args):
        if isinstance(one, ast.arg):
            one.annotation = None
    text = f"def make({', '.join(around)}):\n{indent(ast.unparse(node), '    ')}\n    return function\n"
    place = f"<written {next(NUMBERS)}>"
    held = {}
    exec(compile(text, place, "exec"), held)
    made = held["make"](*around).__code__
    linecache.cache[place] = (len(text), None, text.splitlines(True), place)
    return made if made.co_freevars == code.co_freevars else None


def as_written(function):
    """A lambda, and what calls a default argument as it calls the argument, as a function of its text; all else as it is."""
    if not isinstance(function, FunctionType) or function.__name__ != "<lambda>" and not set(default_names(function)) & set(function.__code__.co_varnames):
        return function
    code = function.__code__
    if code not in WRITTEN:
        WRITTEN[code] = written_out(code)
    if WRITTEN[code] is None:
        return function
    made = FunctionType(WRITTEN[code], function.__globals__, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__, made.__module__, made.__qualname__ = function.__kwdefaults__, function.__module__, function.__qualname__
    return made


def default_names(function):
    """The names that stand for default arguments in a function's text, and that its module does not know, with the values that the function holds."""
    if not function.__defaults__ and not function.__kwdefaults__:
        return {}
    try:
        node = ast.parse(dedent("".join(inspect.getsourcelines(function)[0]))).body[0]
    except (OSError, SyntaxError, TypeError):
        return {}
    if not isinstance(node, ast.FunctionDef):
        return {}
    pairs = list(zip(node.args.defaults, function.__defaults__ or ()))
    pairs += [(text, (function.__kwdefaults__ or {}).get(one.arg)) for one, text in zip(node.args.kwonlyargs, node.args.kw_defaults)]
    return {text.id: value for text, value in pairs if isinstance(text, ast.Name) and text.id not in function.__globals__}


def reading_functions(begin):
    """How the compiler begins to read a function, with what it would not find."""

    @wraps(begin)
    def begin_reading(self, function, *given, **named):
        begin(self, as_written(function), *given, **named)
        if isinstance(self.fn, FunctionType):
            for name, value in default_names(self.fn).items():
                self.closure_namespace.dicts[0].setdefault(name, CellType(value))

    begin_reading.reads_functions = True
    return begin_reading


def read_functions():
    """Has the compiler read functions so from now on; another converted project may have done so."""
    for name in READERS:
        reader = getattr(sys.modules.get(name), "Parser", None)
        if reader is not None and not getattr(reader.__init__, "reads_functions", False):
            reader.__init__ = reading_functions(reader.__init__)
