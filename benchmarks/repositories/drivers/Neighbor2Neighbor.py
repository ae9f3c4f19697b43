import os
import sys
import types
import numpy as np
from PIL import Image
from scipy.ndimage import correlate

cv2 = types.ModuleType("cv2")
cv2.getGaussianKernel = lambda size, sigma: (lambda k: (k / k.sum())[:, None])(np.exp(-((np.arange(size) - size // 2) ** 2) / (2 * sigma**2)))
cv2.filter2D = lambda image, depth, window: correlate(image, window, mode="mirror")
sys.modules["cv2"] = cv2

from probe import attempt, keep, say

rng = np.random.RandomState(0)
for folder, count, size in (("made", 4, 66), ("made_val/Kodak", 1, 40), ("made_val/BSD300/test", 1, 36), ("made_val/Set14", 1, 32)):
    os.makedirs(folder, exist_ok=True)
    for i in range(count):
        Image.fromarray(np.clip(rng.randint(0, 255, (1, 1, 3)) + rng.randint(-60, 60, (size, size, 3)), 0, 255).astype("uint8")).save(f"{folder}/{i}.png")


def run(style):
    np.random.seed(1)
    sys.modules.pop("train", None)
    sys.argv = f"train.py --noisetype {style} --data_dir made --val_dirs made_val --patchsize 64 --batchsize 2 --n_epoch 2 --n_feature 4 --log_name {style}".split()
    import train as module

    say(style, module.loss1.item(), module.loss2.item(), module.loss_all.item(), module.optimizer.param_groups[0]["lr"])
    say("psnr", *module.psnr_result)
    say("ssim", *module.ssim_result)
    keep(style, module.network)


attempt("fixed", lambda: run("gauss25"))
attempt("range", lambda: run("gauss5_50"))
