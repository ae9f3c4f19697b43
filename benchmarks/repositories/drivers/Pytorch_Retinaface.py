import sys
import tempfile
import numpy as np
import torch
import data

sys.argv = ["train.py", "--save_folder", tempfile.mkdtemp() + "/"]


class Made(torch.utils.data.Dataset):
    def __init__(self, path, preproc):
        self.preproc = preproc

    def __len__(self):
        return 4

    def __getitem__(self, index):
        rng = np.random.RandomState(index)
        corner = rng.uniform(0, 0.5, (2 + index % 2, 2))
        boxes = np.concatenate([corner, corner + rng.uniform(0.15, 0.45, corner.shape), rng.uniform(0, 1, (len(corner), 10)), np.where(rng.rand(len(corner), 1) < 0.3, -1.0, 1.0)], 1)
        return torch.from_numpy(rng.randn(3, 128, 128).astype("float32") * 40), boxes


data.WiderFaceDetection = Made

import train  # noqa: E402
from models.retinaface import RetinaFace  # noqa: E402
from probe import array, attempt, keep, say  # noqa: E402
from utils.box_utils import decode, decode_landm, nms  # noqa: E402


def detect():
    net = RetinaFace(cfg=data.cfg_mnet, phase="test")
    net.load_state_dict(torch.load(train.save_folder + "mobilenet0.25_Final.pth"))
    net.eval()
    with torch.no_grad():
        loc, conf, landms = net(array(9, 1, 3, 128, 128) * 40)
    boxes = decode(loc.data.squeeze(0), train.priors.data, [0.1, 0.2]) * torch.Tensor([128, 128, 128, 128])
    say("boxes", boxes.abs().mean().item(), decode_landm(landms.data.squeeze(0), train.priors.data, [0.1, 0.2]).abs().mean().item())
    keep_, count = nms(boxes, conf.squeeze(0).data[:, 1], 0.4, 50)
    say("kept", count, keep_[:5].sum().item())


attempt("train", train.train)
keep("net", train.net)
attempt("detect", detect)
