"""What is known about files and their sizes, as data: what reads one, what keeps the size of what it is given, what makes one size of it.

Sources: the pages of OpenCV, Pillow, NumPy, scikit-image, SciPy, librosa, torchaudio and torchvision on their functions.
"""

from __future__ import annotations

from mindport.analysis.dynamic_shape.apis import TRANSFORMS

_IMAGE, _RECORDING, _VOLUME, _CLIP = (
    "images have sizes of their own", "recordings have lengths of their own", "volumes have sizes of their own", "clips have frames of their own number"
)  # fmt: skip
#: What reads a file whose size is its own, and why.
READERS: dict[str, str] = {
    **dict.fromkeys(
        ["cv2.imread", "cv2.imdecode", "PIL.Image.open", "skimage.io.imread", "imageio.imread", "imageio.v2.imread", "imageio.v3.imread", "matplotlib.image.imread", "matplotlib.pyplot.imread", "tifffile.imread",
         "torchvision.io.read_image", "torchvision.io.decode_image", "torchvision.io.image.read_image", "torchvision.datasets.folder.default_loader", "torchvision.datasets.folder.pil_loader"], _IMAGE),
    **dict.fromkeys(["librosa.load", "librosa.core.load", "soundfile.read", "scipy.io.wavfile.read", "torchaudio.load"], _RECORDING),
    **dict.fromkeys(["nibabel.load", "SimpleITK.ReadImage"], _VOLUME),
    **dict.fromkeys(["torchvision.io.read_video"], _CLIP),
}  # fmt: skip
#: Those that give several things: at which place what was read stands, and how many there are.
IN_TUPLES: dict[str, tuple[int, int]] = {
    "librosa.load": (0, 2), "librosa.core.load": (0, 2), "soundfile.read": (0, 2), "scipy.io.wavfile.read": (1, 2), "torchaudio.load": (0, 2), "torchvision.io.read_video": (0, 3),
    "librosa.effects.trim": (0, 2),
}  # fmt: skip
#: Functions that keep the size of their first argument, or change it by a factor or an amount that is the same for all.
KEEPERS = frozenset((
    "cv2.cvtColor", "cv2.flip", "cv2.GaussianBlur", "cv2.medianBlur", "cv2.blur", "cv2.normalize", "cv2.threshold", "cv2.merge",
    *("numpy." + name for name in (
        "array", "asarray", "ascontiguousarray", "float32", "float64", "uint8", "transpose", "moveaxis", "swapaxes", "rollaxis", "flip", "fliplr", "flipud", "rot90", "clip", "abs", "log", "log10", "log1p", "sqrt",
        "exp", "power", "maximum", "minimum", "where", "expand_dims", "squeeze", "stack", "dstack", "repeat", "atleast_3d", "copy", "nan_to_num", "round", "zeros_like", "ones_like", "full_like", "empty_like", "divide", "multiply", "subtract", "add",
    )),
    "librosa.feature.melspectrogram", "librosa.feature.mfcc", "librosa.feature.delta", "librosa.stft", "librosa.core.stft", "librosa.power_to_db", "librosa.amplitude_to_db", "librosa.util.normalize", "librosa.effects.trim", "librosa.effects.preemphasis",
    "librosa.resample", "librosa.core.resample", "librosa.to_mono", "scipy.ndimage.zoom", "scipy.ndimage.gaussian_filter", "scipy.signal.lfilter", "scipy.signal.resample_poly", "skimage.transform.rescale", "skimage.color.rgb2gray", "skimage.color.gray2rgb", "skimage.img_as_float",
    "PIL.ImageOps.exif_transpose", "PIL.ImageOps.mirror", "PIL.ImageOps.flip", "PIL.ImageOps.autocontrast", "PIL.Image.fromarray", "SimpleITK.GetArrayFromImage", "copy.copy", "copy.deepcopy",
    *(TRANSFORMS + part + name for part in ("functional.", "v2.functional.") for name in ("to_tensor", "pil_to_tensor", "to_image", "to_dtype", "normalize", "convert_image_dtype", "hflip", "vflip", "to_pil_image", "to_grayscale", "adjust_brightness", "adjust_contrast", "adjust_gamma", "gaussian_blur", "rotate")),
))  # fmt: skip
#: Libraries whose functions keep the length of a recording, by prefix, and those of their names that do not.
KEEPING_LIBRARIES, NOT_KEEPING = ("torchaudio.functional.", "torchaudio.transforms.", "torchaudio.compliance."), ("pad", "vad")
#: Keywords that read a part of a given length.
PARTS = frozenset(("frames", "num_frames", "duration"))
#: Functions that cut a part of a given size.
CROPS = frozenset(TRANSFORMS + part + name for part in ("functional.", "v2.functional.") for name in ("crop", "center_crop", "resized_crop", "five_crop", "ten_crop"))
#: Functions that make one size of it where that is given.
SCALED = frozenset(("torch.nn.functional.interpolate", "torch.nn.functional.upsample"))
#: What the first argument is called where it is given by keyword.
FIRST_KEYWORDS = ("y", "src", "image", "img", "a", "x", "input", "S", "data", "pic", "waveform")
#: Methods that keep the size of an image, an array or a recording.
KEEPING_METHODS = frozenset((
    "convert", "float", "half", "double", "long", "int", "byte", "bool", "astype", "copy", "permute", "transpose", "swapaxes", "contiguous", "div", "div_", "mul", "mul_", "sub", "sub_", "add", "add_", "clamp", "clamp_", "clone", "to", "type", "unsqueeze", "squeeze", "rotate",
    "numpy", "detach", "cpu", "abs", "log", "log10", "log1p", "sqrt", "pow", "clip", "flip", "repeat", "get_fdata", "get_data", "t", "unsqueeze_", "squeeze_", "detach_", "view", "reshape", "flatten", "ravel", "round",
))  # fmt: skip
#: Methods that reduce: with one axis they keep the others.
ALONG_AN_AXIS = frozenset(("mean", "sum", "max", "min"))
#: Transforms that keep the size, by the last part of their names.
KEEPING_TRANSFORMS = frozenset((
    "ToTensor", "Normalize", "PILToTensor", "ToImage", "ToDtype", "ConvertImageDtype", "RandomHorizontalFlip", "RandomVerticalFlip", "ColorJitter", "Grayscale", "RandomGrayscale", "GaussianBlur", "RandomRotation", "RandomAffine", "RandomErasing", "ToPILImage",
    "RandomInvert", "RandomPosterize", "RandomSolarize", "RandomAutocontrast", "RandomEqualize", "RandomAdjustSharpness", "RandomPerspective",
))  # fmt: skip
COMPOSE = "Compose"
#: Functions and methods by whose argument the result has its size: where that stands, and its name. A number alone is the shorter side in torchvision.
RESIZED: dict[str, tuple[int, str]] = {"cv2.resize": (1, "dsize"), "skimage.transform.resize": (1, "output_shape"), "PIL.ImageOps.fit": (1, "size"), "PIL.ImageOps.pad": (1, "size")}
BY_SHORT_SIDE: dict[str, tuple[int, str]] = {TRANSFORMS + part + "resize": (1, "size") for part in ("functional.", "v2.functional.")}
RESIZING_METHOD, CROPPING_METHOD = "resize", "crop"
#: Functions that add at the ends: by an amount that follows from the size, they make one size of it; the keyword or place of the amount.
PADDED: dict[str, int] = {"numpy.pad": 1, "cv2.copyMakeBorder": 1, "torch.nn.functional.pad": 1, TRANSFORMS + "functional.pad": 1, TRANSFORMS + "v2.functional.pad": 1, "PIL.ImageOps.expand": 1}
#: Joins: of parts of other sizes they keep each, of two that follow from one size they make another.
JOINING = frozenset(("numpy.concatenate", "numpy.hstack", "numpy.vstack", "torch.cat", "torch.concat", "torch.concatenate", "torch.hstack", "torch.vstack"))
#: Arrays and tensors of given sizes.
SIZED_ARRAYS = frozenset(f"numpy.{name}" for name in ("zeros", "ones", "full", "empty")) | frozenset(f"torch.{name}" for name in ("zeros", "ones", "full", "empty"))
