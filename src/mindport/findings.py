"""What mindport says to a user: stable codes, risks, places.

A finding quotes the user's text and place and says what to do. Codes are stable across
releases; each has a page in ``docs/codes/`` (a test holds it). Risks, from worst to mildest:

* ``blocker``: the project cannot run on MindSpore before this is solved.
* ``silent``:  it runs and computes something else.
* ``loud``:    it raises.
* ``style``:   it works; a MindSpore user would write it otherwise.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

Risk = Literal["blocker", "silent", "loud", "style"]
Effort = Literal["none", "minutes", "hours", "days"]
Certainty = Literal["certain", "likely"]

RISKS: tuple[Risk, ...] = ("blocker", "silent", "loud", "style")


@dataclass(frozen=True, order=True)
class Span:
    """A half-open range of a file's text: 1-based lines, 0-based columns in characters."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class Code:
    """One kind of finding."""

    id: str
    title: str
    risk: Risk
    effort: Effort
    zh: str


@dataclass(frozen=True)
class Finding:
    """One statement about one place. `path` is relative to the project root, with ``/``."""

    code: str
    message: str
    path: PurePosixPath
    span: Span | None = None
    risk: Risk = "loud"
    certainty: Certainty = "certain"
    api: str | None = None
    advice: str = ""
    rare: bool = False  # whether it takes an unusual input, as NaN, nothing or a dtype that the project does not name: said once an API


#: Set in the environment: defects are raised where they happen, and keep no file back.
DEBUG = "MINDPORT_DEBUG"


def raise_for_debugging(error: Exception) -> None:
    """Raises a defect where `DEBUG` is set; elsewhere the rest goes on without what failed."""
    if os.environ.get(DEBUG):
        raise error


def defect_text(error: Exception) -> str:
    """What is told of a defect of mindport's, so that the rest goes on; raises the error where `DEBUG` is set."""
    raise_for_debugging(error)
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return f"a defect of mindport, not of your project: {text}. Set {DEBUG}=1 to see where it comes from"


def defect(path: PurePosixPath, error: Exception) -> Finding:
    """MP909 for a file that mindport fails at, so that the others go on; raises the error where `DEBUG` is set."""
    return Finding("MP909", defect_text(error), path, None, "blocker")


_TABLE: tuple[Code, ...] = (
    Code("MP101", "no equivalent is known", "blocker", "hours", "没有已知的等价实现"),
    Code("MP102", "refused for these arguments", "loud", "minutes", "这些参数不被支持"),
    Code("MP103", "differs for these arguments", "silent", "minutes", "这些参数下结果不同"),
    Code("MP104", "the equivalent is unverified", "loud", "minutes", "等价实现尚未验证"),
    Code("MP105", "the receiver's type is unknown", "silent", "minutes", "接收者类型未知"),
    Code("MP106", "the overload cannot be decided", "loud", "minutes", "无法确定重载"),
    Code("MP107", "construct is not converted", "blocker", "hours", "该语法结构未转换"),
    Code("MP108", "a third-party API built on PyTorch", "blocker", "hours", "基于 PyTorch 的第三方接口"),
    Code("MP109", "the in-place request is dropped", "silent", "minutes", "就地操作被忽略"),
    Code("MP110", "the evidence covers part of the samples", "silent", "minutes", "证据只覆盖部分样本"),
    Code("MP201", "the input's shape changes between steps", "style", "minutes", "输入 shape 在各步之间变化"),
    Code("MP202", "the result's shape depends on values", "style", "minutes", "结果的 shape 取决于数据的值"),
    Code("MP203", "branches give different shapes", "style", "minutes", "不同分支的输出 shape 不同"),
    Code("MP204", "a size or index changes between calls", "style", "minutes", "尺寸或下标在调用之间变化"),
    Code("MP205", "data decide how often a loop runs", "style", "hours", "循环次数取决于数据"),
    Code("MP301", "no sparse kernel", "loud", "hours", "缺少稀疏算子"),
    Code("MP302", "a sparse format that MindSpore does not have", "blocker", "hours", "不支持的稀疏格式"),
    Code("MP401", "the training step is not written as a function", "blocker", "hours", "训练步骤未能改写为函数式梯度"),
    Code("MP402", "a training framework runs the step", "blocker", "hours", "训练步骤由第三方训练框架执行"),
    Code("MP403", "the training step uses MindSpore's tape", "style", "minutes", "训练步骤使用 MindSpore 的梯度记录"),
    Code("MP411", "a second gradient does not work", "blocker", "hours", "二阶梯度不可用"),
    Code("MP412", "a second gradient needs graph mode", "silent", "minutes", "二阶梯度需要图模式"),
    Code("MP501", "graph mode cannot compile this", "style", "minutes", "图模式无法编译"),
    Code("MP601", "a package is built on PyTorch's internals", "blocker", "days", "依赖库基于 PyTorch 内部实现"),
    Code("MP901", "the file does not parse", "blocker", "minutes", "文件无法解析"),
    Code("MP902", "the file cannot be decoded", "blocker", "minutes", "文件无法解码"),
    Code("MP903", "the file is too large", "blocker", "minutes", "文件过大"),
    Code("MP904", "the file or link cannot be read", "blocker", "minutes", "文件或链接不可读"),
    Code("MP905", "the expression is nested too deeply", "blocker", "minutes", "表达式嵌套过深"),
    Code("MP906", "the notebook is malformed", "blocker", "minutes", "笔记本格式错误"),
    Code("MP907", "notebook magics are not analysed", "style", "none", "不分析笔记本魔法命令"),
    Code("MP908", "a star import hides where names come from", "style", "minutes", "星号导入隐藏了名称来源"),
    Code("MP909", "mindport cannot work on this file", "blocker", "hours", "mindport 无法处理该文件"),
)

CODES: dict[str, Code] = {code.id: code for code in _TABLE}
