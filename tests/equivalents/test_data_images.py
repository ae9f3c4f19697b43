"""Image transforms beside torchvision's own, pixel by pixel and number by number. torchvision's sources are run."""

from __future__ import annotations

import random
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.corpus.torchvision_wheel import folder

pytestmark = pytest.mark.frameworks
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def theirs() -> Any:
    """torchvision.transforms, imported from its sources: compiled operators are only declared."""
    home = folder()
    if home is None:
        pytest.skip("torchvision's sources cannot be had here")
    sys.path.insert(0, str(home))
    kept = runpy.run_path(str(ROOT / "examples" / "torchvision_prelude.py"))
    import torchvision.transforms as transforms
    import torchvision.transforms.v2 as v2

    yield {"": transforms, "v2.": v2, "functional.": transforms.functional, "v2.functional.": v2.functional, "kept": kept}
    sys.path.remove(str(home))


def ours(name: str) -> Any:
    """What the knowledge declares for a name of torchvision.transforms."""
    from mindport import catalog
    from mindport.evidence.knowledge import declaration

    return declaration(catalog.load().find(f"torchvision.transforms.{name}")[0]).target


def picture(mode: str = "RGB", width: int = 23, height: int = 17, seed: int = 0) -> Any:
    """A PIL image of random pixels, smooth enough that filters matter."""
    from PIL import Image

    pixels = np.random.default_rng(seed).integers(0, 256, (height // 2 + 1, width // 2 + 1, 3)).astype(np.uint8)
    return Image.fromarray(pixels).resize((width, height), Image.Resampling.BILINEAR).convert(mode)


def plain(image: Any) -> Any:
    """Pixels and dtype of what a transform gives."""
    from PIL.Image import Image

    if isinstance(image, tuple):
        return tuple(plain(one) for one in image)
    if isinstance(image, Image):
        return image.mode, np.asarray(image).tolist()
    array = image.asnumpy() if hasattr(image, "asnumpy") else np.asarray(image)
    return array.dtype.name, array.shape, array.tolist()


def seeded(seed: int) -> None:
    """Seed everything on both sides."""
    import torch

    from mindport.equivalents.generators import manual_seed

    torch.manual_seed(seed)
    manual_seed(seed)
    random.seed(seed)


Make = Callable[[Callable[[str], Any]], Any]

#: Programs that take an API by name; each is run on both sides with the same image.
ON_PICTURES: dict[str, Make] = {
    "ToTensor": lambda t: t("ToTensor")(),
    "PILToTensor": lambda t: t("PILToTensor")(),
    "Resize number": lambda t: t("Resize")(11),
    "Resize list of one": lambda t: t("Resize")([31]),
    "Resize pair, bicubic": lambda t: t("Resize")((12, 9), interpolation=t("InterpolationMode").BICUBIC),
    "Resize nearest": lambda t: t("Resize")((40, 9), interpolation=t("InterpolationMode").NEAREST),
    "Resize longest": lambda t: t("Resize")(20, max_size=25),
    "Resize same": lambda t: t("Resize")((17, 23)),
    "CenterCrop": lambda t: t("CenterCrop")(10),
    "CenterCrop odd": lambda t: t("CenterCrop")((16, 11)),
    "CenterCrop larger": lambda t: t("CenterCrop")((20, 30)),
    "CenterCrop larger one way": lambda t: t("CenterCrop")((12, 30)),
    "Pad": lambda t: t("Pad")(3),
    "Pad pair, fill": lambda t: t("Pad")((1, 2), fill=7),
    "Pad reflect": lambda t: t("Pad")((1, 2, 3, 4), padding_mode="reflect"),
    "Pad edge": lambda t: t("Pad")(2, padding_mode="edge"),
    "Pad symmetric": lambda t: t("Pad")((2, 1), padding_mode="symmetric"),
    "Grayscale": lambda t: t("Grayscale")(),
    "Grayscale 3": lambda t: t("Grayscale")(3),
    "FiveCrop": lambda t: t("FiveCrop")(9),
    "TenCrop": lambda t: t("TenCrop")((9, 8), vertical_flip=True),
    "Compose": lambda t: t("Compose")([t("Resize")(20), t("CenterCrop")(16), t("ToTensor")(), t("Normalize")((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))]),
    "ToTensor, ToPILImage": lambda t: t("Compose")([t("ToTensor")(), t("ToPILImage")()]),
    "RandomHorizontalFlip": lambda t: t("RandomHorizontalFlip")(),
    "RandomVerticalFlip": lambda t: t("RandomVerticalFlip")(0.3),
    "RandomCrop": lambda t: t("RandomCrop")(16, padding=4),
    "RandomCrop one side": lambda t: t("RandomCrop")((17, 10)),
    "RandomCrop reflect": lambda t: t("RandomCrop")((30, 20), pad_if_needed=True, padding_mode="reflect"),
    "RandomResizedCrop": lambda t: t("RandomResizedCrop")(14),
    "RandomResizedCrop wide": lambda t: t("RandomResizedCrop")((9, 12), scale=(0.9, 1.0), ratio=(3.0, 5.0)),
    "ColorJitter": lambda t: t("ColorJitter")(0.4, 0.4, 0.4, 0.1),
    "ColorJitter part": lambda t: t("ColorJitter")(brightness=(0.5, 1.5), hue=0.2),
    "RandomRotation": lambda t: t("RandomRotation")(30),
    "RandomRotation expand": lambda t: t("RandomRotation")((10, 90), interpolation=t("InterpolationMode").BILINEAR, expand=True, fill=5),
    "RandomGrayscale": lambda t: t("RandomGrayscale")(0.5),
    "RandomApply": lambda t: t("RandomApply")([t("ColorJitter")(0.4)], p=0.5),
    "a training pipeline": lambda t: t("Compose")([
        t("RandomResizedCrop")(16), t("RandomHorizontalFlip")(), t("ColorJitter")(0.2, 0.2, 0.2), t("ToTensor")(),
        t("Normalize")([0.5] * 3, [0.25] * 3), t("RandomErasing")(p=0.7, value=0.5),
    ]),
}  # fmt: skip
ON_PICTURES_V1: dict[str, Make] = {
    "RandomChoice": lambda t: t("RandomChoice")([t("Pad")(1), t("Pad")(2), t("Grayscale")()]),
    "RandomChoice with p": lambda t: t("RandomChoice")([t("Pad")(1), t("Pad")(2)], p=[0.2, 0.8]),
    "RandomOrder": lambda t: t("RandomOrder")([t("Pad")(1), t("Resize")(9), t("CenterCrop")(8)]),
    "Lambda": lambda t: t("Lambda")(lambda image: image.convert("L")),
}
ON_PICTURES_V2: dict[str, Make] = {
    "v2 RandomCrop": lambda t: t("RandomCrop")((30, 26), padding=[1, 5], pad_if_needed=True, padding_mode="reflect"),
    "v2 pipeline": lambda t: t("Compose")([t("Resize")((14, 15)), t("ToImage")(), t("ToDtype")("float32", scale=True), t("Normalize")([0.5] * 3, [0.2] * 3)]),
}


def _compare(make: Make, side: str, theirs: Any, mode: str, seed: int) -> None:
    import mindspore as ms
    import torch

    def their(name: str) -> Any:
        found = getattr(theirs[side], name)
        return (lambda dtype, **more: found(torch.float32, **more)) if name == "ToDtype" else found

    def our(name: str) -> Any:
        found = ours(side + name)
        return (lambda dtype, **more: found(ms.float32, **more)) if name == "ToDtype" else found

    results = []
    for which in (their, our):
        seeded(seed)
        transform = make(which)
        results.append([plain(transform(picture(mode))) for _ in range(3)])
    assert results[0] == results[1]


@pytest.mark.parametrize("name", [*ON_PICTURES, *ON_PICTURES_V1])
def test_pictures_become_torchvisions_pixels(theirs: Any, name: str) -> None:
    make = (ON_PICTURES | ON_PICTURES_V1)[name]
    for seed in range(8 if "Random" in name or "training" in name or "Jitter" in name else 1):
        _compare(make, "", theirs, "RGB", seed)


@pytest.mark.parametrize("name", [*ON_PICTURES, *ON_PICTURES_V2])
def test_pictures_become_torchvisions_pixels_in_v2(theirs: Any, name: str) -> None:
    make = (ON_PICTURES | ON_PICTURES_V2)[name]
    for seed in range(4 if "Random" in name or "training" in name or "Jitter" in name else 1):
        _compare(make, "v2.", theirs, "RGB", seed)


@pytest.mark.parametrize("mode", ["L", "1", "RGBA", "F", "I", "P", "LA"])
@pytest.mark.parametrize("name", ["ToTensor", "Resize number", "CenterCrop larger", "Pad", "RandomHorizontalFlip"])
def test_other_modes_of_pictures(theirs: Any, name: str, mode: str) -> None:
    if mode == "P" and name == "Resize number":
        pytest.skip("Pillow filters no palette")
    _compare(ON_PICTURES[name], "", theirs, mode, 1)


TENSORS: dict[str, Callable[[Callable[[str], Any], Any], Any]] = {
    "normalize": lambda f, x: f("functional.normalize")(x, [0.1, 0.2, 0.3], [0.4, 0.5, 0.6]),
    "hflip": lambda f, x: f("functional.hflip")(x),
    "vflip": lambda f, x: f("functional.vflip")(x),
    "center_crop": lambda f, x: f("functional.center_crop")(x, [9, 30]),
    "crop outside": lambda f, x: f("functional.crop")(x, -2, -3, 12, 40),
    "crop": lambda f, x: f("functional.crop")(x, 2, 3, 5, 6),
    "pad": lambda f, x: f("functional.pad")(x, [1, 2, 3, 4]),
    "pad fill": lambda f, x: f("functional.pad")(x, 2, fill=1),
    "pad reflect": lambda f, x: f("functional.pad")(x, [1, 2], padding_mode="reflect"),
    "erase": lambda f, x: f("functional.erase")(x, 1, 2, 4, 5, 0.0),
    "to_pil_image": lambda f, x: f("functional.to_pil_image")(x),
    "invert": lambda f, x: f("functional.invert")(x),
    "RandomCrop": lambda f, x: f("RandomCrop")(10, padding=2)(x),
    "RandomErasing": lambda f, x: f("RandomErasing")(p=0.9, value=(1.0, 2.0, 3.0))(x),
    "RandomHorizontalFlip": lambda f, x: f("RandomHorizontalFlip")()(x),
}


@pytest.mark.parametrize("name", TENSORS)
def test_tensors_become_torchvisions_pixels(theirs: Any, name: str) -> None:
    import mindspore as ms
    import torch

    def their(path: str) -> Any:
        owner, _, last = path.rpartition(".")
        return getattr(theirs[f"{owner}." if owner else ""], last)

    values = np.random.default_rng(3).random((3, 17, 23), dtype=np.float32)
    for seed in range(4):
        seeded(seed)
        expected = plain(TENSORS[name](their, torch.from_numpy(values.copy())))
        seeded(seed)
        assert plain(TENSORS[name](ours, ms.Tensor(values))) == expected


@pytest.mark.parametrize(("before", "after"), [("uint8", "float32"), ("float32", "uint8"), ("float32", "float64"), ("uint8", "uint8")])
def test_dtypes_scale_as_torchvisions(theirs: Any, before: str, after: str) -> None:
    import mindspore as ms
    import torch

    drawn = np.random.default_rng(3).random((3, 5, 4), dtype=np.float32)
    values = (drawn * 255).astype(np.uint8) if before == "uint8" else drawn
    expected = theirs["functional."].convert_image_dtype(torch.from_numpy(values), getattr(torch, after))
    assert plain(ours("functional.convert_image_dtype")(ms.Tensor(values), getattr(ms, after))) == plain(expected)


def test_what_needs_torchvisions_own_operators_is_refused() -> None:
    import mindspore as ms

    from mindport.declare import Refused

    with pytest.raises(Refused, match="before ToTensor"):
        ours("RandomRotation")(8)(ms.Tensor(np.zeros((3, 9, 9), np.float32)))
    with pytest.raises(Refused, match="before ToTensor"):
        ours("Resize")(8)(ms.Tensor(np.zeros((3, 9, 9), np.uint8)))


#: What torchvision computes on tensors with operators of its own: to the last bits of its kernels.
COMPUTED: dict[str, Make] = {
    "Resize number": lambda t: t("Resize")(11),
    "Resize pair": lambda t: t("Resize")((40, 9)),
    "Resize larger, bicubic": lambda t: t("Resize")((31, 50), interpolation=t("InterpolationMode").BICUBIC),
    "Resize smaller, bicubic": lambda t: t("Resize")((7, 8), interpolation=t("InterpolationMode").BICUBIC),
    "Resize nearest": lambda t: t("Resize")((40, 9), interpolation=t("InterpolationMode").NEAREST),
    "Resize nearest exact": lambda t: t("Resize")((40, 9), interpolation=t("InterpolationMode").NEAREST_EXACT),
    "Resize without smoothing": lambda t: t("Resize")((7, 30), antialias=False),
    "Resize without smoothing, bicubic": lambda t: t("Resize")((7, 30), interpolation=t("InterpolationMode").BICUBIC, antialias=False),
    "Resize longest": lambda t: t("Resize")(20, max_size=25),
    "RandomResizedCrop": lambda t: t("RandomResizedCrop")(14),
    "a pipeline": lambda t: t("Compose")([t("Resize")((26, 26)), t("ColorJitter")(brightness=0.5, hue=0.3), t("RandomCrop")(20), t("RandomHorizontalFlip")(), t("Normalize")([0.5] * 3, [0.2] * 3)]),
}
COLOURS: dict[str, Make] = {
    "ColorJitter": lambda t: t("ColorJitter")(0.4, 0.4, 0.4, 0.1),
    "brightness": lambda t: t("ColorJitter")(brightness=(1.5, 2.5)),
    "contrast": lambda t: t("ColorJitter")(contrast=(1.5, 2.5)),
    "saturation": lambda t: t("ColorJitter")(saturation=(0.0, 3.0)),
    "hue": lambda t: t("ColorJitter")(hue=0.5),
}


def _on_tensors(make: Make, side: str, theirs: Any, values: Any, most: float) -> None:
    import mindspore as ms
    import torch

    for seed in range(4):
        results = []
        for which, given in ((lambda n: getattr(theirs[side], n), torch.from_numpy(values.copy())), (lambda n: ours(side + n), ms.Tensor(values))):
            seeded(seed)
            results.append(make(which)(given).numpy() if isinstance(given, torch.Tensor) else make(which)(given).asnumpy())
        assert results[0].dtype == results[1].dtype and results[0].shape == results[1].shape
        np.testing.assert_allclose(results[1].astype(float), results[0].astype(float), rtol=0, atol=most)


@pytest.mark.parametrize("side", ["", "v2."])
@pytest.mark.parametrize("name", [*COMPUTED, *COLOURS])
def test_tensors_become_torchvisions_to_the_last_bits(theirs: Any, name: str, side: str) -> None:
    values = np.random.default_rng(3).random((3, 17, 23), dtype=np.float32)
    values[:, :3, :3] = 0.25  # gray: no hue
    values[:, 5, :] = np.array([[1.0], [0.0], [0.0]], np.float32)
    _on_tensors((COMPUTED | COLOURS)[name], side, theirs, values, 5e-6 if name != "a pipeline" else 3e-5)


@pytest.mark.parametrize("name", ["Resize pair", "Resize without smoothing"])
def test_batches_and_gray_tensors_are_resized(theirs: Any, name: str) -> None:
    for shape in ((2, 3, 17, 23), (1, 17, 23)):
        _on_tensors(COMPUTED[name], "", theirs, np.random.default_rng(4).random(shape, dtype=np.float32), 2e-6)


@pytest.mark.parametrize("side", ["", "v2."])
@pytest.mark.parametrize("name", ["brightness", "contrast", "saturation", "hue"])
def test_colours_of_bytes(theirs: Any, name: str, side: str) -> None:
    _on_tensors(COLOURS[name], side, theirs, np.random.default_rng(3).integers(0, 256, (3, 17, 23)).astype(np.uint8), 1)


def test_gray_tensors_keep_their_colours(theirs: Any) -> None:
    for name in ("saturation", "hue", "contrast"):
        _on_tensors(COLOURS[name], "", theirs, np.random.default_rng(3).random((1, 9, 8), dtype=np.float32), 2e-6)
