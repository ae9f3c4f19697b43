"""Products and absolute values of what Fourier transforms give: values and gradients beside torch's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindport.convert import convert
from mindport.source.discover import discover
from tests.convert.both_sides import both_sides

pytestmark = pytest.mark.frameworks

PROGRAM = """import torch


def outputs(x, w, v):
    xf = torch.fft.rfft(x, dim=1)
    largest = abs(xf).mean(0) + xf.abs().mean(0) + torch.abs(torch.conj(xf)).sum(0)
    power = xf * torch.conj(xf)
    scaled = (xf[:, :3] * w + 2 * xf[:, :3]) * 0.5
    weight = torch.view_as_complex(v)
    x = torch.fft.rfft(x)
    x = x * weight
    x = torch.fft.irfft(x)
    phase = xf.div(xf.abs().add(1e-3)) + xf / (abs(xf) + 1) + torch.div(w[0, 0], xf + 5) + xf.mul(w[0, 1])
    return largest.topk(2)[0], torch.fft.irfft(power), torch.fft.irfft(scaled), x * w[0, 0], abs(x), torch.fft.irfft(phase)


def run(x, w, v):
    x, w, v = (torch.tensor(t, requires_grad=True) for t in (x, w, v))
    return outputs(x, w, v), torch.autograd.grad(sum((o ** 2).sum() for o in outputs(x, w, v)), x)[0]
"""


def test_values_and_gradients(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, PROGRAM)
    generator = np.random.default_rng(0)
    shapes = ((2, 8), (2, 3), (5, 2))
    given = [generator.standard_normal(shape).astype(np.float32) for shape in shapes]
    expected, gradient = torch_side.run(*given)
    found, of_found = mindspore_side.run(*given)
    for one, other in zip(expected, found, strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.detach().numpy(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(of_found.asnumpy(), gradient.numpy(), rtol=1e-4, atol=1e-4)


SCRIPT = """import torch

z = torch.tensor([1 + 2j, 3 - 4j])
sizes = z.abs()
image = torch.arange(16.0).view(4, 4)
amplitudes = torch.fft.fftshift(torch.fft.fft2(image)).abs()
spectrum = torch.stft(torch.arange(400) / 400, n_fft=64, hop_length=16, return_complex=True)
peak = spectrum.abs().mean(dim=1).argmax()
largest = torch.polar(torch.ones(2), torch.zeros(2)).to(torch.complex64).abs().max()
"""


def test_a_script_without_functions(tmp_path: Path) -> None:
    """Names of a module are followed, too, and literals, spectra and dtypes are known to be complex."""
    torch_side, mindspore_side = both_sides(tmp_path, SCRIPT)
    for name in ("sizes", "amplitudes", "peak", "largest"):
        expected, found = getattr(torch_side, name), getattr(mindspore_side, name)
        assert str(found.dtype).lower() == str(expected.dtype).removeprefix("torch."), name
        np.testing.assert_allclose(found.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-4)


MAGNITUDES = """import torch


def magnitude(spectrum, floor=0.0):
    spectrum = spectrum * 1.0
    return torch.log1p(spectrum.abs() + floor)


frames = torch.arange(32.0).reshape(4, 8).sin()
bins = torch.fft.rfft(frames, dim=-1).T
turned = bins.abs().square()
louder = magnitude(bins, 0.5)
plain = magnitude(frames.T)
weighted = torch.ones(3, 5) @ bins.mT.T.data.abs()
"""


def test_views_and_what_a_caller_gives(tmp_path: Path) -> None:
    torch_side, mindspore_side = both_sides(tmp_path, MAGNITUDES)
    for name in ("turned", "louder", "plain", "weighted"):
        expected, found = getattr(torch_side, name), getattr(mindspore_side, name)
        assert str(found.dtype) == "Float32"
        np.testing.assert_allclose(found.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-5)


ELSEWHERE = """import torch
import torch.nn as nn


class Spectrum(nn.Module):
    def forward(self, x):
        return torch.fft.ihfftn(x, norm="ortho")


class Held:
    def __init__(self, x):
        self.bins = torch.fft.rfft2(x)


frames = torch.arange(32.0).reshape(4, 8).sin()
net = Spectrum()
bins = net(frames)
flat = bins.reshape(-1).abs().sum()
direct = torch.abs(net(frames))
kept = Held(frames).bins.abs().mean()
raised = torch.exp(torch.fft.fft(frames)).abs()
turned = abs(torch.fft.fftn(frames).T.sum(0))
count = net(frames).shape[0] * 2
"""


def test_what_calls_and_attributes_give(tmp_path: Path) -> None:
    """A module's result and an attribute may be complex where the file makes complex tensors; so is what operators make of one."""
    torch_side, mindspore_side = both_sides(tmp_path, ELSEWHERE)
    for name in ("flat", "direct", "kept", "raised", "turned"):
        expected, found = getattr(torch_side, name), getattr(mindspore_side, name)
        assert str(found.dtype) == "Float32", name
        np.testing.assert_allclose(found.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-4)
    assert mindspore_side.count == torch_side.count


NUMBERS = """import math

import numpy as np
import torch

z = torch.tensor([1 + 2j, -3 + 0.5j])
x = torch.tensor([0.5, -2.0])
k = torch.arange(2)
products = [z * (1 - 1j), 2j * z, 1j * x, x * 3j, z / 2j, 2j / z, 1j / x, z * 2.0, 1j * k]
sums = [z + 1j, 1j - z, x - 2j, x + 1j * x, 1 + 1j * x]
circle = torch.exp(1j * x)
fourier = torch.exp(-2j * np.pi * k[:, None] * k / 2)
phases = np.exp(1j * np.arange(3.0))
number = (1 + 2j) * 3j
unit = 1j
again = unit * z


def turned(a, angle):
    return a * torch.exp(1j * angle) * math.pi


y = turned(z, x)
w = torch.tensor([1.0, 2.0], requires_grad=True)
turned(z, w * w).real.sum().backward()
slope = w.grad
"""


def test_complex_numbers_beside_tensors(tmp_path: Path) -> None:
    theirs, ours = both_sides(tmp_path, NUMBERS)
    for name in ("products", "sums"):
        for one, other in zip(getattr(theirs, name), getattr(ours, name), strict=True):
            assert str(other.dtype).lower() == str(one.dtype).removeprefix("torch."), name
            np.testing.assert_allclose(other.asnumpy(), one.numpy(), rtol=1e-4, atol=1e-5, err_msg=name)
    for name in ("circle", "fourier", "again", "y", "slope"):
        np.testing.assert_allclose(getattr(ours, name).asnumpy(), getattr(theirs, name).numpy(), rtol=1e-4, atol=1e-5, err_msg=name)
    assert ours.number == theirs.number
    np.testing.assert_array_equal(ours.phases, theirs.phases)


def test_the_absolute_value_is_real_and_nothing_else_is_said_of_it(tmp_path: Path) -> None:
    program = "import torch\n\n\ndef power(wave):\n    spec = torch.stft(wave, 8, return_complex=True)\n    return spec.abs().pow(2) + torch.abs(spec)\n"
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    conversion = convert(discover(tmp_path))
    assert "absolute(spec).pow(2) + absolute(spec)" in conversion.files[Path("program.py")]
    assert [finding.message for finding in conversion.findings if "abs" in (finding.api or "")] == []
    assert {record.strategy for record in conversion.log if record.api.endswith("abs")} == {"vendored"}


def test_what_a_loop_gives_may_be_complex(tmp_path: Path) -> None:
    program = (
        "import torch\n\n\ndef sizes(net):\n    weights = torch.rand(3, dtype=torch.cfloat)\n    for p in net.parameters():\n        print(p.abs().sum().item())\n"
        "    return sum(p.abs().sum().item() for p in net.parameters()), weights\n"
    )
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    text = convert(discover(tmp_path)).files[Path("program.py")]
    assert text.count("absolute(p).sum().item()") == 2


HANDED = """import torch


def weighted(x, y, weight):
    return ((x - y) * weight).abs().sum()


class Distance:
    def __init__(self, gain):
        self.gain = gain

    def measure(self, f, by):
        g = f + 1
        g *= self.gain
        g /= by
        return g.abs()

    def __call__(self, x, y):
        x, y = torch.fft.fft(x), torch.fft.fft(y)
        return (x * self.gain - y / self.gain).abs().sum() + self.measure(f=x, by=self.gain + 1).sum()


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.linspace(0.5, 1.5, 5))

    def forward(self, x):
        f = torch.fft.rfft(x)
        f *= self.gain
        f *= torch.exp(1j * self.gain)
        f += x.mean() * torch.fft.rfft(x.flip(-1))
        return torch.fft.irfft(f), f


x = torch.sin(torch.arange(16.0)).reshape(2, 8)
gain = torch.arange(8.0) + 1
net = Net()
out, spectrum = net(x)
out.pow(2).sum().backward()
a, b = torch.fft.fft(x[0]), torch.fft.fft(x[1])
near = torch.isclose(a, a * (1 + 1e-6)).float() + torch.isclose(a, b + 1j * b) + a.isclose(torch.conj(a), atol=0.5)
close = torch.tensor([torch.allclose(a, a.clone()), torch.allclose(a, b), a.allclose(a * 1.1, rtol=0.2)])
kept = [near, close, weighted(a, b, gain), Distance(gain)(x[0], x[1]), out, spectrum.abs().sum(), net.gain.grad]
"""


def test_what_calls_hand_in(tmp_path: Path) -> None:
    """Arguments, several names at once, augmented products; a sum stays an operator."""
    theirs, ours = both_sides(tmp_path, HANDED)
    for one, other in zip(theirs.kept, ours.kept, strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.detach().numpy(), rtol=1e-4, atol=1e-5)


OPTIMIZER = """import math

import torch


class Adam(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["exp_avg"] = torch.zeros_like(p)
                    state["exp_avg_sq"] = torch.zeros_like(p, dtype=torch.float32) if p.is_complex() else torch.zeros_like(p)
                exp_avg, exp_avg_sq = state["exp_avg"], state["exp_avg_sq"]
                beta1, beta2 = group["betas"]
                state["step"] += 1
                grad = p.grad.add(p, alpha=group["weight_decay"])
                exp_avg.mul_(beta1).add_(grad, alpha=1 - beta1)
                exp_avg_sq.mul_(beta2).add_((grad * grad.conj()).real, alpha=1 - beta2)
                denom = (exp_avg_sq.sqrt() / math.sqrt(1 - beta2 ** state["step"])).add_(group["eps"])
                p.sub_(exp_avg / denom * (group["lr"] / (1 - beta1 ** state["step"])))


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.complex(torch.linspace(0.5, 1.5, 5), torch.linspace(-1, 1, 5)))
        self.scale = torch.nn.Parameter(torch.ones(8))

    def forward(self, x):
        return torch.fft.irfft(torch.fft.rfft(x) * self.weight, n=8) * self.scale


net = Net()
optimizer = Adam(net.parameters(), lr=0.05, weight_decay=0.01)
x, y = torch.sin(torch.arange(16.0)).reshape(2, 8), torch.cos(torch.arange(16.0)).reshape(2, 8)
losses = []
for _ in range(6):
    loss = (net(x) - y).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
real, imaginary = net.weight.real.tolist(), net.weight.imag.tolist()
"""


def test_an_optimizer_of_the_projects_own(tmp_path: Path) -> None:
    """Adam of a Fourier neural operator: it asks its parameters whether they are complex, and divides by what is real."""
    theirs, ours = both_sides(tmp_path, OPTIMIZER)
    for name in ("losses", "real", "imaginary"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-4, atol=1e-6)


ROTARY = """import torch


def turned(q, k, freqs):
    pairs = lambda x: torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    freqs = freqs.view(1, *freqs.shape)
    key = pairs(k) * freqs
    return torch.view_as_real(pairs(q) * freqs).flatten(2), torch.view_as_real(key).flatten(2)


def run(q, k, angles):
    q, k = (torch.tensor(t, requires_grad=True) for t in (q, k))
    angles = torch.tensor(angles)
    table = {"freqs": torch.polar(torch.ones_like(angles), angles)}
    one, two = turned(q, k, **table)
    return one, two, *torch.autograd.grad((one * two).sum() + (one ** 2).sum(), (q, k))
"""


def test_what_is_handed_to_view_as_real_is_complex(tmp_path: Path) -> None:
    """Nothing shows what the lambda gives, and what the caller's dictionary holds."""
    torch_side, mindspore_side = both_sides(tmp_path, ROTARY)
    generator = np.random.default_rng(1)
    given = [generator.standard_normal(shape).astype(np.float32) for shape in ((2, 3, 4), (2, 3, 4), (3, 2))]
    for one, other in zip(torch_side.run(*given), mindspore_side.run(*given), strict=True):
        np.testing.assert_allclose(other.asnumpy(), one.detach().numpy(), rtol=1e-5, atol=1e-5)


def test_what_goes_back_from_frequencies_is_complex(tmp_path: Path) -> None:
    """The images of a scanner: only another file makes the complex tensor."""
    import mindspore as ms
    import torch

    text = "import torch\n\n\ndef image(k, mask):\n    return torch.view_as_real(torch.fft.ifft2(k * mask, norm=\"ortho\"))\n"
    torch_side, mindspore_side = both_sides(tmp_path, text)
    generator = np.random.default_rng(1)
    k, mask = generator.standard_normal((2, 4, 3)) + 1j * generator.standard_normal((2, 4, 3)), np.array([1.0, 0.0, 1.0], np.float32)
    expected = torch_side.image(*map(torch.from_numpy, (k.astype(np.complex64), mask)))
    made = mindspore_side.image(*map(ms.from_numpy, (k.astype(np.complex64), mask)))
    np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-5, atol=1e-5)


def test_what_all_frequencies_are_asked_of_may_be_complex(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import torch\n\n\ndef map_of(x, w):\n    return torch.fft.fft(x * w, dim=-1)\n")
    (text,) = (t for name, t in convert(discover(tmp_path)).files.items() if name.name == "program.py")
    assert "fft(complex_product(x, w)" in text


QUOTIENTS = """
import torch

z = torch.complex(torch.arange(1.0, 5.0), torch.tensor([0.5, -1.0, 2.0, -0.25])).requires_grad_()
w = torch.complex(torch.tensor([-1.0, 0.5, 3.0, 1e-25]), torch.tensor([2.0, 1.0, -1.5, 2e-25])).requires_grad_()
turned = torch.fft.fft(torch.arange(4.0)) + 1
quotient = z / w + torch.div(z, turned)
(quotient.real[:3] * torch.tensor([1.0, -2.0, 0.5])).sum().backward(retain_graph=True)
(quotient.imag[:3] * torch.tensor([0.25, 3.0, -1.0])).sum().backward()
found = [torch.view_as_real(t.detach()) for t in (quotient, z.grad, w.grad[:3])]
"""


@pytest.mark.frameworks
def test_the_gradient_of_a_quotient(tmp_path: Path) -> None:
    """MindSpore's gradient of a complex quotient is wrong where that of the result is not real; silently."""
    theirs, ours = both_sides(tmp_path, QUOTIENTS)
    for expected, made in zip(theirs.found, ours.found, strict=True):
        np.testing.assert_allclose(made.asnumpy(), expected.numpy(), rtol=1e-5, atol=1e-6)
