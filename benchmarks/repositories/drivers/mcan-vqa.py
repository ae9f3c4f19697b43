import os
import random
import tempfile
import types
import numpy as np
import torch
from cfgs.base_cfgs import Cfgs
from core.exec import Execution
from core.model.net import Net
from probe import array, attempt, keep, say

folder = tempfile.mkdtemp() + "/"
os.makedirs("results", exist_ok=True)


class Made(torch.utils.data.Dataset):
    data_size, token_size, ans_size = 8, 11, 7

    def __init__(self):
        self.ans_list = list(range(self.data_size))
        self.pretrained_emb = np.random.RandomState(1).randn(11, 12).astype("float32")

    def __len__(self):
        return self.data_size

    def __getitem__(self, index):
        rng = np.random.RandomState(self.ans_list[index])
        image = np.zeros((9, 10), dtype=np.float32)
        image[:5 + index % 4] = rng.randn(5 + index % 4, 10)
        question = np.zeros(6, np.int64)
        question[:3 + index % 3] = rng.randint(1, 11, size=3 + index % 3)
        answer = np.zeros(7, np.float32)
        answer[rng.randint(7)] = 0.9
        return torch.from_numpy(image), torch.from_numpy(question), torch.from_numpy(answer)


def settings(**more):
    made = Cfgs()
    made.add_args({"IMG_FEAT_PAD_SIZE": 9, "IMG_FEAT_SIZE": 10, "WORD_EMBED_SIZE": 12, "MAX_TOKEN": 6, "BATCH_SIZE": 4, "NUM_WORKERS": 0, "PIN_MEM": False, "LAYER": 2, "HIDDEN_SIZE": 16, "MULTI_HEAD": 4, "DROPOUT_R": 0.0, "FLAT_MLP_SIZE": 8, "FLAT_GLIMPSES": 2, "FLAT_OUT_SIZE": 12, "LR_BASE": 1e-3, "LR_DECAY_LIST": [1], "MAX_EPOCH": 2, "OPT_EPS": 1e-5, "VERSION": "made", **more})
    made.CKPTS_PATH = made.LOG_PATH = folder
    made.proc()
    return made


def run(name, **more):
    random.seed(2)
    torch.manual_seed(0)
    c = settings(**more)
    execution = Execution.__new__(Execution)
    execution._Execution__C = c
    random.seed(2)
    data = Made()
    execution.train(data)
    state = torch.load(folder + f"ckpt_made/epoch{c.MAX_EPOCH}.pkl")
    net = Net(c, data.pretrained_emb, data.token_size, data.ans_size)
    net.load_state_dict(state["state_dict"])
    keep(name, net)
    say(name + " after", state["lr_base"] * 1e3, len(state["optimizer"]["param_groups"]))
    net.eval()
    with torch.no_grad():
        batch = [torch.stack(parts) for parts in zip(*(data[i] for i in range(3)))]
        say(name + " predicted", *net(batch[0], batch[1])[0].tolist())


attempt("plain", lambda: run("plain", GRAD_ACCU_STEPS=2, GRAD_NORM_CLIP=0.5))
os.rename(folder + "ckpt_made", folder + "ckpt_first")
attempt("resumed", lambda: run("resumed", RESUME=True, CKPT_VERSION="first", CKPT_EPOCH=2, MAX_EPOCH=3) if os.mkdir(folder + "ckpt_made") is None else None)
