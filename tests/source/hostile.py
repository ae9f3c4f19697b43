"""Input that breaks tools: about 100 files, made where a test asks for them.

``hostile_files(root)`` makes the whole corpus under `root` and returns the paths; ``CASES`` holds
the single cases with the codes that reading each one must report. Used by the tests of
source, scan and convert.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Free of charge: code that is strange and legal. Some codes depend on the Python that reads.
FINE: frozenset[str] = frozenset()
NEWER_SYNTAX = FINE if sys.version_info >= (3, 12) else frozenset(("MP901",))
UNREADABLE = FINE if os.name != "posix" or os.geteuid() == 0 else frozenset(("MP904",))


@dataclass(frozen=True)
class Case:
    """One hostile file (or folder): its relative path, how it is made, and what reading it reports."""

    id: str
    name: str
    make: Callable[[Path], None]
    codes: frozenset[str]
    parses: bool  # is there a SourceFile in the end?


def _bytes(data: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_bytes(data)

    return make


def _text(text: str) -> Callable[[Path], None]:
    return _bytes(text.encode())


def _notebook(cells: Any, **more: Any) -> Callable[[Path], None]:
    document = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}
    return _text(json.dumps(document, indent=1) + "\n")


def _code(*lines: str) -> dict[str, Any]:
    return {
        "cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": [{"output_type": "stream", "text": ["x"]}],
        "source": [line + "\n" for line in lines[:-1]] + list(lines[-1:]),
    }  # fmt: skip


def _folder(path: Path) -> None:
    path.mkdir()
    (path / "inside.py").write_text("import torch\n")


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _link_to_parent(path: Path) -> None:
    path.symlink_to(path.parent, target_is_directory=True)


def _two_links(path: Path) -> None:
    other = path.with_name("second_" + path.name)
    path.symlink_to(other.name)
    other.symlink_to(path.name)


def _link_outside(path: Path) -> None:
    path.symlink_to("/", target_is_directory=True)


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere.py")


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _no_permission(path: Path) -> None:
    path.write_text("import torch\n")
    path.chmod(0)


def _no_entry(path: Path) -> None:
    _folder(path)
    path.chmod(0)


def _cycle(path: Path) -> None:
    path.write_text("from cyclic_b import *\nfrom cyclic_b import relu\nimport cyclic_a\n\nclass A(relu): pass\n")
    path.with_name("cyclic_b.py").write_text("from cyclic_a import *\nfrom cyclic_a import A\n\nclass relu(A): pass\n")


def _surrogate_name(path: Path) -> None:
    with open(os.fsencode(path.parent) + b"/not_utf8_\xff.py", "wb") as stream:
        stream.write(b"import torch\n")


def _ok(*codes: str) -> dict[str, Any]:
    return {"codes": frozenset(codes), "parses": True}


def _bad(*codes: str) -> dict[str, Any]:
    return {"codes": frozenset(codes), "parses": False}


_IF_100 = "".join("  " * level + "if x:\n" for level in range(120)) + "  " * 120 + "pass\n"
_ELIF = "if x == 0:\n    pass\n" + "".join(f"elif x == {n}:\n    pass\n" for n in range(1, 2000))
_BLOB = "blob = '" + "a" * 20_000_000 + "'\n"
_TORCH = "import torch\nx = torch.zeros(2)\n"

CASES: tuple[Case, ...] = (
    # text that is not Python 3
    Case("python 2 print", "python2_print.py", _text("import torch\nprint 'loss', x\n"), **_bad("MP901")),
    Case("python 2 except", "python2_except.py", _text("try:\n    pass\nexcept A, e:\n    pass\n"), **_bad("MP901")),
    Case("python 2 backquotes", "python2_quotes.py", _text("x = `y`\n"), **_bad("MP901")),
    Case("merge conflict", "conflict.py", _text("<<<<<<< HEAD\nx = 1\n=======\nx = 2\n>>>>>>> b\n"), **_bad("MP901")),
    Case("not python at all", "prose.py", _text("This is a letter, dear reader.\n"), **_bad("MP901")),
    Case("unclosed bracket", "unclosed.py", _text("x = torch.relu(\n"), **_bad("MP901")),
    Case("unclosed string", "unclosed_string.py", _text("x = '''abc\n"), **_bad("MP901")),
    Case("jinja template", "template.py", _text("class {{ name }}(nn.Module):\n    pass\n"), **_bad("MP901")),
    Case("tabs and spaces mixed", "tabs.py", _text("if x:\n        a = 1\n\tb = 2\n"), **_bad("MP901")),
    Case("return outside a function", "return.py", _text("return 3\nyield\nawait x\n"), **_ok()),
    Case("async in odd places", "async.py", _text("def f():\n    async with a: pass\n    return [x async for x in y]\n"), **_ok()),
    Case("a number of 5,000 digits", "digits.py", _text("x = " + "7" * 5000 + "\n"), **_bad("MP901")),
    # encodings
    Case("empty", "empty.py", _bytes(b""), **_ok()),
    Case("only a byte order mark", "mark_only.py", _bytes(b"\xef\xbb\xbf"), **_ok()),
    Case("utf-8 with a mark", "mark.py", _bytes(b"\xef\xbb\xbf" + _TORCH.encode()), **_ok()),
    Case("mark and another declaration", "mark_latin.py", _bytes(b"\xef\xbb\xbf# coding: latin-1\n"), **_bad("MP902")),
    Case("utf-16 with a mark", "utf16.py", _bytes(_TORCH.encode("utf-16")), **_bad("MP902")),
    Case("utf-16 without a mark", "utf16_bare.py", _bytes(_TORCH.encode("utf-16-le")), **_bad("MP902")),
    Case("utf-32", "utf32.py", _bytes(_TORCH.encode("utf-32")), **_bad("MP902")),
    Case("a NUL byte in a comment", "nul.py", _bytes(b"x = 1  # \0\n"), **_bad("MP902")),
    Case("nothing but NUL bytes", "nuls.py", _bytes(bytes(4096)), **_bad("MP902")),
    Case("latin-1 undeclared", "latin_bare.py", _bytes("s = 'caf\xe9'\n".encode("latin-1")), **_bad("MP902")),
    Case("latin-1 declared", "latin.py", _bytes("# -*- coding: latin-1 -*-\ns = 'caf\xe9'\n".encode("latin-1")), **_ok()),
    Case("gbk declared", "gbk.py", _bytes("# coding: gbk\ns = '张量'  # 注释\n".encode("gbk")), **_ok()),
    Case("gbk declared as utf-8", "gbk_wrong.py", _bytes("# coding: utf-8\ns = '张量'\n".encode("gbk")), **_bad("MP902")),
    Case("unknown declaration", "klingon.py", _bytes(b"# coding: klingon\nx = 1\n"), **_bad("MP902")),
    Case("declared a codec that is not text", "rot13.py", _bytes(b"# coding: rot13\nvzcbeg bf\n"), **_bad("MP902")),
    Case("declared utf-16", "says_utf16.py", _bytes(b"# coding: utf-16\nx = 1\n"), **_bad("MP902")),
    Case("declaration in the third line", "third.py", _bytes(b"\n\n# coding: klingon\n"), **_ok()),
    Case("a declaration inside code", "not_a_declaration.py", _bytes(b"x = 1\n# coding: klingon\n"), **_ok()),
    Case("an image named py", "image.py", _bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256))), **_bad("MP902")),
    # line ends and white space
    Case("windows line ends", "crlf.py", _bytes(b"import torch\r\nx = '''a\r\nb'''\r\n"), **_ok()),
    Case("old mac line ends", "cr.py", _bytes(b"import torch\rx = 1\r"), **_ok()),
    Case("all line ends mixed", "mixed.py", _bytes(b"import torch\r\nx = 1\ry = 2\n"), **_ok()),
    Case("form feed and other separators", "feed.py", _text("import torch\n\x0cx = '\x1c\x85\u2028'\ny = torch.abs(x)\n"), **_ok()),
    Case("no line end at the end", "no_end.py", _text("import torch\nif x: pass"), **_ok()),
    Case("backslash at the end", "backslash.py", _text("x = 1 \\"), **_bad("MP901")),
    Case("a very long line", "long.py", _text("x = [" + "torch.relu(x), " * 20_000 + "]\n"), **_ok()),
    Case("a line of 100,000 spaces", "spaces.py", _text("x = 1" + " " * 100_000 + "# end\n"), **_ok()),
    # size and nesting
    Case("a literal of 20 MB", "blob.py", _text(_BLOB), **_bad("MP903")),
    Case("a binary file of 20 MB", "blob_binary.py", _bytes(b"\0" * 20_000_000), **_bad("MP903")),
    Case("2,000 parentheses", "parens.py", _text("x = " + "(" * 2000 + "1" + ")" * 2000 + "\n"), **_bad("MP905")),
    Case("2,000 lists", "lists.py", _text("x = " + "[" * 2000 + "]" * 2000 + "\n"), **_bad("MP905")),
    Case("2,000 minus signs", "minus.py", _text("x = " + "-" * 2000 + "1\n"), **_bad("MP905")),
    Case("50,000 minus signs", "minus_more.py", _text("x = " + "-" * 50_000 + "1\n"), **_bad("MP905")),
    Case("2,000 times not", "nots.py", _text("x = " + "not " * 2000 + "1\n"), **_bad("MP905")),
    Case("2,000 attributes", "attributes.py", _text("x" + ".a" * 2000 + "\n"), **_bad("MP905")),
    Case("100,000 attributes", "attributes_more.py", _text("x" + ".a" * 100_000 + "\n"), **_bad("MP905")),
    Case("2,000 calls", "calls.py", _text("import torch\ntorch.relu" + "()" * 2000 + "\n"), **_bad("MP905")),
    Case("2,000 subscripts", "subscripts.py", _text("x" + "[0]" * 2000 + "\n"), **_bad("MP905")),
    Case("2,000 additions", "additions.py", _text("x = 1" + " + 1" * 2000 + "\n"), **_bad("MP905")),
    Case("as deep as is allowed", "allowed.py", _text("x = y" + ".a" * 190 + "\n" + "if x: pass\n" + "elif x: pass\n" * 190), **_ok()),
    Case("2,000 additions on lines", "additions_lines.py", _text("x = (1" + "\n + 1" * 2000 + ")\n"), **_bad("MP905")),
    Case("2,000 lambdas", "lambdas.py", _text("x = " + "lambda: " * 2000 + "1\n"), **_bad("MP905")),
    Case("2,000 ternaries", "ternaries.py", _text("x = " + "1 if a else " * 2000 + "1\n"), **_bad("MP905")),
    Case("120 nested ifs", "ifs.py", _text(_IF_100), **_bad("MP905")),
    Case("2,000 times elif", "elifs.py", _text(_ELIF), **_bad("MP905")),
    Case("2,000 starred targets", "stars.py", _text("*" * 2000 + "a, = b\n"), **_bad("MP901")),
    Case("20,000 functions", "many.py", _text("".join(f"def f{n}(x): return x\n" for n in range(20_000))), **_ok()),
    # syntax by version
    Case("walrus and match", "match.py", _text("match (y := x):\n    case [1, *r] | {'a': r}: pass\n    case _: pass\n"), **_ok()),
    Case("soft keywords as names", "soft.py", _text("match = type = case = _ = 1\nprint(match, type(case))\n"), **_ok()),
    Case("type statement", "type.py", _text("type X[T] = list[T]\n"), codes=NEWER_SYNTAX, parses=not NEWER_SYNTAX),
    Case("generic function", "pep695.py", _text("def f[T: int](x: T) -> T: return x\n"), codes=NEWER_SYNTAX, parses=not NEWER_SYNTAX),
    Case("nested f-strings of 3.12", "pep701.py", _text("x = f\"{f\"{'\\n'}\"}\"\n"), codes=NEWER_SYNTAX, parses=not NEWER_SYNTAX),
    Case("invalid escapes", "escapes.py", _text("x = '\\d \\w \\8'\nif x is 'a': pass\nassert (x, 'm')\n"), **_ok()),
    Case("identifiers beyond ASCII", "unicode.py", _text("张量 = ﬁne = 'é😀' + torch.relu(x)\n"), **_ok()),
    Case("a lone surrogate in a literal", "surrogate.py", _text("x = '\\ud800'\n"), **_ok()),
    Case("a lone surrogate in the bytes", "surrogate_raw.py", _bytes(b"x = '\xed\xa0\x80'\n"), **_bad("MP902")),
    Case("right-to-left override", "trojan.py", _text("x = 1  # \u202e\u2066 begin\u2069\n"), **_ok()),
    # imports and names that mislead
    Case("cyclic imports", "cyclic_a.py", _cycle, **_ok()),
    Case("star imports", "star.py", _text("from torch import *\nfrom torch.nn import *\nfrom . import *\nx = relu(x)\n"), **_ok()),
    Case("imports beyond the root", "beyond.py", _text("from ..... import x\nfrom .nowhere import *\nimport beyond.beyond\n"), **_ok()),
    Case("torch is shadowed", "shadow.py", _text("import torch\ntorch = torch.torch = None\ndel torch\ntorch.relu(torch)\n"), **_ok()),
    Case("self inheritance", "inherits.py", _text("class A(B): pass\nclass B(A): pass\nclass A(A): pass\nA().x.x.x()\n"), **_ok()),
    Case("code that must not run", "runs.py", _text("raise SystemExit(open('ran', 'w').write('x'))\n"), **_ok()),
    Case("a module named torch", "torch.py", _text("def relu(x): return x\nimport torch\n"), **_ok()),
    # the file system
    Case("a folder named like a file", "folder.py", _folder, **_bad()),
    Case("a link to itself", "loop.py", _loop, **_bad("MP904")),
    Case("a link to its folder", "parent", _link_to_parent, **_bad("MP904")),
    Case("two links to each other", "circle.py", _two_links, **_bad("MP904")),
    Case("a link to the whole disk", "disk", _link_outside, **_bad("MP904")),
    Case("a link to nothing", "dangling.py", _dangling, **_bad("MP904")),
    Case("a named pipe", "pipe.py", _pipe, **_bad("MP904")),
    Case("a file without permission", "secret.py", _no_permission, codes=UNREADABLE, parses=not UNREADABLE),
    Case("a folder without permission", "secret_folder", _no_entry, codes=UNREADABLE, parses=False),
    Case("a name that is not UTF-8", "not_utf8", _surrogate_name, **_bad("MP904")),
    Case("a name with a line end", "new\nline.py", _text(_TORCH), **_ok()),
    Case("a name of markup", "<script>alert(1)<&script>.py", _text("import torch\n"), **_ok()),
    # notebooks
    Case("an empty notebook file", "empty.ipynb", _bytes(b""), **_bad("MP906")),
    Case("a truncated notebook", "truncated.ipynb", _bytes(b'{"cells": [{"cell_type": "co'), **_bad("MP906")),
    Case("a notebook that is a list", "list.ipynb", _text("[]"), **_bad("MP906")),
    Case("a notebook that is null", "null.ipynb", _text("null"), **_bad("MP906")),
    Case("a notebook without cells", "no_cells.ipynb", _text('{"nbformat": 4}'), **_bad("MP906")),
    Case("a notebook with no cell", "zero_cells.ipynb", _notebook([]), **_ok()),
    Case("a notebook whose cell is a number", "number.ipynb", _notebook([3]), **_bad("MP906")),
    Case("a notebook whose source is a number", "source.ipynb", _notebook([{"cell_type": "code", "source": 3}]), **_bad("MP906")),
    Case("a notebook whose source is a mixed list", "mixed.ipynb", _notebook([{"cell_type": "code", "source": ["x", 3]}]), **_bad("MP906")),
    Case("a notebook without a source", "no_source.ipynb", _notebook([{"cell_type": "code"}]), **_bad("MP906")),
    Case("a notebook with one text as source", "text.ipynb", _notebook([{"cell_type": "code", "source": "x = 1"}]), **_ok()),
    Case("a notebook of the old format", "old.ipynb", _text('{"worksheets": [{"cells": []}], "nbformat": 3}'), **_bad("MP906")),
    Case("a notebook nested too deeply", "deep.ipynb", _text('{"cells": ' + "[" * 100_000 + "]" * 100_000 + "}"), **_bad("MP906")),
    Case("a notebook in latin-1", "latin.ipynb", _bytes('{"cells": ["\xe9"]}'.encode("latin-1")), **_bad("MP906")),
    Case("a notebook in another language", "julia.ipynb", _notebook([_code("x = [1 2 3]")], metadata={"kernelspec": {"language": "julia"}}), **_bad()),
    Case("a notebook with magics", "magics.ipynb", _notebook([_code("%matplotlib inline", "!pip install torch", "import torch"), _code("files = !ls", "torch?"), _code("%%bash", "rm -rf /")]), **_ok("MP907")),
    Case("a notebook with one broken cell", "broken_cell.ipynb", _notebook([_code("import torch"), _code("print 'x'"), _code("x = torch.zeros(2)")]), **_ok("MP901")),
    Case("a notebook with a lone surrogate", "surrogate.ipynb", _notebook([_code("x = '\ud800'")]), **_bad("MP906")),
)  # fmt: skip


def hostile_files(root: Path) -> list[Path]:
    """Make the whole corpus under `root` and return the paths of its cases."""
    root.mkdir(parents=True, exist_ok=True)
    paths = []
    for case in CASES:
        path = root / case.name
        case.make(path)
        paths.append(path)
    return paths
