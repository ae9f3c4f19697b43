"""timm's mixup and cutmix of a batch: NumPy draws, as in timm, in its order; the images are changed in place."""

import numpy as np
from mindspore import Tensor, _no_grad

from mindport.declare import layer


def box_of(shape, rate, limits, corrected):
    """The slices of a random box and the share of the picture that it leaves."""
    height, width = shape[-2:]
    if limits is not None:
        tall = np.random.randint(int(height * limits[0]), int(height * limits[1]), size=None)
        wide = np.random.randint(int(width * limits[0]), int(width * limits[1]), size=None)
        top = np.random.randint(0, height - tall + 1, size=None)
        left = np.random.randint(0, width - wide + 1, size=None)
        low, high = (top, left), (top + tall, left + wide)
    else:
        sizes = [int(length * np.sqrt(1 - rate)) for length in (height, width)]
        middle = [np.random.randint(0, length, size=None) for length in (height, width)]
        low = [np.clip(at - size // 2, 0, length) for at, size, length in zip(middle, sizes, (height, width))]
        high = [np.clip(at + (size + 1) // 2, 0, length) for at, size, length in zip(middle, sizes, (height, width))]
    if corrected or limits is not None:
        rate = 1.0 - (high[0] - low[0]) * (high[1] - low[1]) / float(height * width)
    return (Ellipsis, slice(low[0], high[0]), slice(low[1], high[1])), rate


@layer("timm.data.Mixup")
class Mixup:
    """Pairs of a batch's pictures mixed, or a box of one put into the other; targets become shares of classes (or what dense ones give).

    mode is "batch" (one rate), "pair" (one for each pair) or "elem" (one for each picture).
    """

    def __init__(
        self, mixup_alpha=1.0, cutmix_alpha=0.0, cutmix_minmax=None, prob=1.0, switch_prob=0.5, mode="batch", correct_lam=True, label_smoothing=0.1,
        num_classes=1000, multi_label=False,
    ):  # fmt: skip
        if cutmix_minmax is not None and len(cutmix_minmax) != 2:
            raise AssertionError("cutmix_minmax is two shares")
        self.mixup_alpha = mixup_alpha
        self.cutmix_alpha = cutmix_alpha if cutmix_minmax is None else 1.0
        self.cutmix_minmax = cutmix_minmax
        self.mix_prob = prob
        self.switch_prob = switch_prob
        self.label_smoothing = label_smoothing
        self.num_classes = num_classes
        self.multi_label = multi_label
        self.mode = mode
        self.correct_lam = correct_lam
        self.mixup_enabled = True

    def _drawn(self, size):
        """The rates and whether boxes are put, for one batch (None) or for a number of pictures."""
        by_box = False if size is None else np.zeros(size, dtype=bool)
        if self.mixup_alpha > 0.0 and self.cutmix_alpha > 0.0:
            by_box = np.random.rand(*self._axes(size)) < self.switch_prob
            if size is None:
                alpha = self.cutmix_alpha if by_box else self.mixup_alpha
                return np.random.beta(alpha, alpha), by_box
            boxes = np.random.beta(self.cutmix_alpha, self.cutmix_alpha, size=size)
            return np.where(by_box, boxes, np.random.beta(self.mixup_alpha, self.mixup_alpha, size=size)), by_box
        if self.mixup_alpha > 0.0:
            return np.random.beta(self.mixup_alpha, self.mixup_alpha, size=size), by_box
        if self.cutmix_alpha > 0.0:
            by_box = True if size is None else np.ones(size, dtype=bool)
            return np.random.beta(self.cutmix_alpha, self.cutmix_alpha, size=size), by_box
        raise AssertionError("One of mixup_alpha > 0., cutmix_alpha > 0., cutmix_minmax not None should be true.")

    def _axes(self, size):
        return () if size is None else (size,)

    def _mixed_batch(self, x):
        if not self.mixup_enabled or not np.random.rand() < self.mix_prob:
            return x, 1.0
        rate, by_box = self._drawn(None)
        rate = float(rate)
        if rate == 1.0:
            return x, 1.0
        other = x[::-1]
        if by_box:
            box, rate = box_of(x.shape, rate, self.cutmix_minmax, self.correct_lam)
            made = x.copy()
            made[box] = other[box]
            return made, rate
        if not np.issubdtype(x.dtype, np.floating):
            raise RuntimeError(f"pictures of {x.dtype} cannot be mixed in place")
        return x * rate + other * (1.0 - rate), rate

    def _mixed_each(self, x, count):
        """`count` pictures mixed with those from the end, or all of them; where it is half of them, the others with these, too."""
        rates, by_box = np.ones(count, dtype=np.float32), np.zeros(count, dtype=bool)
        if self.mixup_enabled:
            drawn, by_box = self._drawn(count)
            rates = np.where(np.random.rand(count) < self.mix_prob, drawn.astype(np.float32), rates)
        made = x.copy()
        for i in range(count):
            j, rate = len(x) - i - 1, rates[i]
            for at, of in ((i, j), (j, i)) if count < len(x) else ((i, j),):
                if rate != 1.0 and not by_box[i]:
                    made[at] = made[at] * rate + x[of] * (1 - rate)
            if rate != 1.0 and by_box[i]:
                box, rates[i] = box_of(x[i].shape, rate, self.cutmix_minmax, self.correct_lam)
                for at, of in ((i, j), (j, i)) if count < len(x) else ((i, j),):
                    made[at][box] = x[of][box]
        whole = np.concatenate((rates, rates[::-1])) if count < len(x) else rates
        return made, whole.astype(x.dtype)[:, None]

    def _shares(self, target, rate):
        if self.multi_label:
            if target.ndim != 2 or target.shape[1] != self.num_classes:
                raise ValueError("Multi-label mixup expects dense targets shaped (batch, num_classes).")
            first = target.astype(np.float32) * (1.0 - self.label_smoothing) + 0.5 * self.label_smoothing
        else:
            rest = self.label_smoothing / self.num_classes
            first = np.full((target.size, self.num_classes), rest, np.float32)
            first[np.arange(target.size), target.astype(np.int64).reshape(-1)] = 1.0 - self.label_smoothing + rest
        return first * rate + first[::-1] * (1.0 - rate)

    def __call__(self, x, target):
        if len(x) % 2:
            raise AssertionError("Batch size should be even when using this")
        pictures = x.asnumpy()
        if self.mode == "elem":
            made, rate = self._mixed_each(pictures, len(x))
        elif self.mode == "pair":
            made, rate = self._mixed_each(pictures, len(x) // 2)
        else:
            made, rate = self._mixed_batch(pictures)
        if made is not pictures:
            with _no_grad():
                x.copy_(Tensor(np.ascontiguousarray(made.astype(pictures.dtype))))
        return x, Tensor(np.ascontiguousarray(self._shares(target.asnumpy(), rate)))
