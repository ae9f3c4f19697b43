"""What stands in a model for later quantisation: in a float model these compute nothing of their own."""

from mindspore import nn, ops

from mindport.declare import Refused, equivalent, layer


@layer("torch.ao.quantization.QuantStub", "torch.quantization.QuantStub", "torch.ao.quantization.stubs.QuantStub")
class QuantStub(nn.Cell):
    """The input itself: the place where torch's `convert` would put a quantiser.

    https://docs.pytorch.org/docs/2.13/generated/torch.ao.quantization.QuantStub.html
    """

    def __init__(self, qconfig=None):
        if qconfig is not None:
            raise Refused("quantisation in MindSpore is the separate package mindspore-gs: a QuantStub with a qconfig has no counterpart")
        super().__init__()

    def construct(self, x):
        return x


@layer("torch.ao.quantization.DeQuantStub", "torch.quantization.DeQuantStub", "torch.ao.quantization.stubs.DeQuantStub")
class DeQuantStub(nn.Cell):
    """The input itself: the place where torch's `convert` would put the way back to floats.

    https://docs.pytorch.org/docs/2.13/generated/torch.ao.quantization.DeQuantStub.html
    """

    def __init__(self, qconfig=None):
        if qconfig is not None:
            raise Refused("quantisation in MindSpore is the separate package mindspore-gs: a DeQuantStub with a qconfig has no counterpart")
        super().__init__()

    def construct(self, x):
        return x


@layer("torch.ao.nn.quantized.FloatFunctional", "torch.nn.quantized.FloatFunctional")
class FloatFunctional(nn.Cell):
    """Arithmetic as methods of a module, so that torch could observe the results; in a float model plain arithmetic.

    https://docs.pytorch.org/docs/2.13/generated/torch.ao.nn.quantized.FloatFunctional.html
    """

    def __init__(self):
        super().__init__()

    def construct(self, x):
        raise RuntimeError("FloatFunctional is not intended to use the 'forward'. Please use the underlying operation")

    def add(self, x, y):
        return ops.add(x, y)

    def add_scalar(self, x, y):
        return ops.add(x, y)

    def mul(self, x, y):
        return ops.mul(x, y)

    def mul_scalar(self, x, y):
        return ops.mul(x, y)

    def cat(self, x, dim=0):
        return ops.cat(x, axis=dim)

    def add_relu(self, x, y):
        return ops.relu(ops.add(x, y))

    def matmul(self, x, y):
        return ops.matmul(x, y)


@equivalent("torch.ao.nn.quantized.FloatFunctional.add", "torch.nn.quantized.FloatFunctional.add")
def functional_add(self, x, y):
    """x + y: the module's own method."""
    return self.add(x, y)


@equivalent("torch.ao.nn.quantized.FloatFunctional.add_scalar", "torch.nn.quantized.FloatFunctional.add_scalar")
def functional_add_scalar(self, x, y):
    """x plus a number: the module's own method."""
    return self.add_scalar(x, y)


@equivalent("torch.ao.nn.quantized.FloatFunctional.mul", "torch.nn.quantized.FloatFunctional.mul")
def functional_mul(self, x, y):
    """x * y: the module's own method."""
    return self.mul(x, y)


@equivalent("torch.ao.nn.quantized.FloatFunctional.mul_scalar", "torch.nn.quantized.FloatFunctional.mul_scalar")
def functional_mul_scalar(self, x, y):
    """x times a number: the module's own method."""
    return self.mul_scalar(x, y)


@equivalent("torch.ao.nn.quantized.FloatFunctional.cat", "torch.nn.quantized.FloatFunctional.cat")
def functional_cat(self, x, dim=0):
    """The tensors one after the other along an axis: the module's own method."""
    return self.cat(x, dim)


@equivalent("torch.ao.nn.quantized.FloatFunctional.add_relu", "torch.nn.quantized.FloatFunctional.add_relu")
def functional_add_relu(self, x, y):
    """max(x + y, 0): the module's own method."""
    return self.add_relu(x, y)


@equivalent("torch.ao.nn.quantized.FloatFunctional.matmul", "torch.nn.quantized.FloatFunctional.matmul")
def functional_matmul(self, x, y):
    """The matrix product: the module's own method."""
    return self.matmul(x, y)
