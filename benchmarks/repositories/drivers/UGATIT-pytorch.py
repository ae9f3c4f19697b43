import os
import tempfile
import types
import numpy as np
import torch
import UGATIT as module
from probe import array, attempt, fill, keep, say


class Made(torch.utils.data.Dataset):
    def __init__(self, root, transform):
        self.start = sum(map(ord, os.path.basename(root)))

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return array(self.start + index, 3, 128, 128).tanh(), 0


module.ImageFolder = Made


def same_vectors(net):
    state = net.state_dict()
    for i, name in enumerate(state):
        if name.endswith(("_u", "_v")):
            vector = np.random.RandomState(i).randn(*state[name].shape)
            state[name] = torch.from_numpy((vector / np.linalg.norm(vector)).astype("float32"))
    net.load_state_dict(state)


def run(light):
    name, folder = f"light {light}", tempfile.mkdtemp()
    os.makedirs(os.path.join(folder, "made", "model"))
    gan = module.UGATIT(types.SimpleNamespace(light=light, result_dir=folder, dataset="made", iteration=3, decay_flag=True, batch_size=1, print_freq=100, save_freq=3, lr=1e-4, weight_decay=1e-4, ch=4, adv_weight=1, cycle_weight=10, identity_weight=10, cam_weight=1000, n_res=1, n_dis=6, img_size=128, img_ch=3, device="cpu", benchmark_flag=False, resume=False))
    gan.build_model()
    nets = dict(genA2B=gan.genA2B, genB2A=gan.genB2A, disGA=gan.disGA, disGB=gan.disGB, disLA=gan.disLA, disLB=gan.disLB)
    for seed, (key, net) in enumerate(nets.items()):
        fill(net, seed)
        same_vectors(net)
    gan.train()
    for key, net in nets.items():
        keep(f"{light}-{key}", net)
    gan.load(os.path.join(folder, "made", "model"), 3)
    gan.genA2B.eval()
    with torch.no_grad():
        say(f"{name} image", *(part.abs().mean().item() for part in gan.genA2B(array(3, 1, 3, 128, 128).tanh())), gan.G_optim.param_groups[0]["lr"] * 1e4)


attempt("light", lambda: run(True))
attempt("whole", lambda: run(False))
