"""CUDA's streams and events. MindSpore orders the work itself, so every stream is the one that all work is in.

Work in one order is right wherever work in several streams, with the waits that torch asks for, is. Events measure time by the
clock, after the device has finished what came before. https://docs.pytorch.org/docs/2.13/cuda.html#streams-and-events
"""

import time
from contextlib import contextmanager

import mindspore as ms

from mindport.declare import difference, equivalent, layer

ONE_STREAM = difference("all work is in one stream, in the order of the program", risk="style", zh="所有计算按程序顺序在同一流中")
BY_THE_CLOCK = difference("the time is that of the clock after the device has finished: recording waits for it", risk="style", zh="记录事件时会等待设备完成，时间取自时钟")


@layer("torch.cuda.Event", "torch.Event", "torch.cpu.Event", "torch.xpu.Event", "torch.mps.Event", differs=[BY_THE_CLOCK], drops={
    "enable_timing": "every event has a time", "blocking": "waiting blocks", "interprocess": "events stay in their process",
})
class Event:
    """A moment in the work of the device."""

    def __init__(self, enable_timing=False, blocking=False, interprocess=False):
        self.moment = None

    def record(self, stream=None):
        """Note the time at which all work so far is done."""
        ms.runtime.synchronize()
        self.moment = time.perf_counter()

    def wait(self, stream=None):
        """Later work comes later: nothing to do."""

    def query(self):
        """Whether the work before the event is done: recording waited for it."""
        return True

    def synchronize(self):
        """Wait for the work before the event: recording waited for it."""

    def elapsed_time(self, end_event):
        """Milliseconds from this event to another."""
        if self.moment is None or end_event.moment is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return 1000.0 * (end_event.moment - self.moment)


@layer("torch.cuda.Stream", "torch.Stream", "torch.cpu.Stream", "torch.xpu.Stream", differs=[ONE_STREAM], drops={
    "device": "MindSpore has one device", "priority": "there is one stream", "kwargs": "a stream is no handle of CUDA's",
})
class Stream:
    """The stream of all work."""

    def __init__(self, device=None, priority=0, **kwargs):
        pass

    def wait_stream(self, stream):
        """Work that follows comes after that of another stream: nothing to do."""

    def wait_event(self, event):
        """Work that follows comes after an event: nothing to do."""

    def record_event(self, event=None):
        """An event at this place."""
        event = Event() if event is None else event
        event.record()
        return event

    def synchronize(self):
        """Wait for the device."""
        ms.runtime.synchronize()

    def query(self):
        """Whether all work is done: after waiting for it, it is."""
        ms.runtime.synchronize()
        return True

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        return False

    def __eq__(self, other):
        return isinstance(other, Stream)

    def __hash__(self):
        return 0


@equivalent(
    "torch.cuda.current_stream", "torch.cuda.default_stream", "torch.accelerator.current_stream", "torch.cpu.current_stream",
    "torch.xpu.current_stream", differs=[ONE_STREAM], drops={"device": "MindSpore has one device"},
)
def current_stream(device=None):
    """The stream of all work."""
    return Stream()


@equivalent("torch.cuda.set_stream", "torch.accelerator.set_stream", "torch.xpu.set_stream", differs=[ONE_STREAM], drops={"stream": "there is one stream"})
def set_stream(stream):
    """Choose the stream of the following work: there is one."""
    return None


@contextmanager
def in_order():
    """A region in which nothing is otherwise."""
    yield


@equivalent("torch.cuda.stream", "torch.cuda.StreamContext", "torch.cpu.stream", "torch.xpu.stream", differs=[ONE_STREAM], drops={"stream": "there is one stream"})
def stream_region(stream):
    """The region as it is."""
    return in_order()


@equivalent("torch.cuda.device", "torch.cuda.device_of", "torch.accelerator.device_index", "torch.xpu.device", drops={"device": "MindSpore has one device"})
def device_region(device):
    """A region on another device: there is one."""
    return in_order()


@equivalent("torch.Tensor.record_stream", drops={"s": "there is one stream"})
def record_stream(self, s):
    """The memory is used by another stream: there is one."""
    return None
