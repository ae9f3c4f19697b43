"""Products and quotients of complex tensors by their parts: MindSpore's CPU cannot differentiate its own products, nor take a real factor or divisor."""

from mindspore import ops

from mindport.equivalents.shape import common_shape


def complex_product(a, b):
    """``a * b`` where one of them may be complex, also a complex number, which MindSpore's operators do not take; differentiable."""
    if isinstance(a, complex):
        a, b = b, a
    if isinstance(b, complex) and hasattr(a, "is_complex"):
        real, imaginary = parts(a)
        return _joined(real * b.real - imaginary * b.imag, real * b.imag + imaginary * b.real) if a.is_complex() else _joined(real * b.real, real * b.imag)
    if not (hasattr(a, "is_complex") and hasattr(b, "is_complex")) or not (a.is_complex() or b.is_complex()):
        return a * b
    if not a.is_complex():
        a, b = b, a
    real, imaginary = ops.real(a), ops.imag(a)
    if not b.is_complex():
        return _joined(real * b, imaginary * b)
    of_b, imaginary_of_b = ops.real(b), ops.imag(b)
    return _joined(real * of_b - imaginary * imaginary_of_b, real * imaginary_of_b + imaginary * of_b)


def complex_quotient(a, b):
    """``a / b`` where one of them may be complex; differentiable."""
    if isinstance(b, complex) and hasattr(a, "is_complex"):
        return complex_product(a, 1 / b)
    if isinstance(a, complex) and hasattr(b, "is_complex"):
        real, imaginary = parts(b)
        return complex_quotient(complex_product(_joined(real, -imaginary), a), real * real + imaginary * imaginary)
    if not (hasattr(a, "is_complex") and hasattr(b, "is_complex")) or not (a.is_complex() or b.is_complex()):
        return a / b
    if not b.is_complex():
        return _joined(ops.real(a) / b, ops.imag(a) / b)
    real, imaginary = _inverse(b)
    if not a.is_complex():
        return _joined(a * real, a * imaginary)
    of_a, imaginary_of_a = ops.real(a), ops.imag(a)
    return _joined(of_a * real - imaginary_of_a * imaginary, of_a * imaginary + imaginary_of_a * real)


def _inverse(b):
    """Both parts of ``1 / b``. The gradient of MindSpore's own complex quotient is wrong wherever the result's is not real. The larger part is
    taken out first, so that no square is too large or too small for the dtype."""
    real, imaginary = ops.real(b), ops.imag(b)
    size = ops.stop_gradient(ops.maximum(abs(real), abs(imaginary)))
    size = ops.where(size > 0, size, ops.ones_like(size))
    real, imaginary = real / size, imaginary / size
    square = (real * real + imaginary * imaginary) * size
    return real / square, -imaginary / square


def complex_sum(a, b):
    """``a + b`` where one of them may be a complex number."""
    if isinstance(a, complex):
        a, b = b, a
    if not isinstance(b, complex) or not hasattr(a, "is_complex"):
        return a + b
    real, imaginary = parts(a)
    return _joined(real + b.real, imaginary + b.imag)


def complex_difference(a, b):
    """``a - b`` where one of them may be a complex number."""
    return complex_sum(-b, a) if isinstance(a, complex) else complex_sum(a, -b) if isinstance(b, complex) else a - b


def parts(a):
    """A tensor's real and imaginary part; whole numbers become fractions."""
    if a.is_complex():
        return ops.real(a), ops.imag(a)
    real = a if a.is_floating_point() else a.float()
    return real, ops.zeros_like(real)


def _joined(real, imaginary):
    shape = common_shape((real, imaginary))
    return ops.Complex()(ops.broadcast_to(real, shape), ops.broadcast_to(imaginary, shape))


def absolute(a):
    """``abs(a)``, which is real of a complex tensor, too."""
    size = abs(a)
    return ops.real(size) if hasattr(a, "is_complex") and a.is_complex() else size
