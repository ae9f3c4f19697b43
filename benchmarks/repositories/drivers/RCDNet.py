import sys
import types
import numpy as np
import scipy.io
import torch
from probe import attempt, fill, keep, say

scipy.io.savemat("init_kernel.mat", {"C9": np.random.RandomState(1).randn(3, 6, 9, 9) / 9})
for name in ("pylab", "IPython"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["scipy.misc"] = scipy.misc = types.ModuleType("scipy.misc")
sys.argv = ["main.py", "--cpu", "--num_M", "6", "--num_Z", "5", "--stage", "3", "--epochs", "4", "--batch_size", "2", "--print_every", "1", "--lr", "1e-3", "--lr_decay", "2", "--epsilon", "1e-3", "--save_models", "--reset"]
from option import args
import loss as losses
import model as models
import trainer as module
import utility


class Pictures:
    benchmark = False

    def __init__(self, count, test):
        self.count, self.test = count, test

    def set_scale(self, idx_scale):
        self.idx_scale = idx_scale

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        rng = np.random.RandomState(i + 20 * self.test)
        clean = rng.uniform(0, 1, size=(3, 28, 28)).astype("float32")
        rain = (rng.uniform(0, 1, size=(1, 28, 28)) > 0.9).astype("float32")
        return torch.from_numpy(np.minimum(clean + 0.5 * rain, 1)), torch.from_numpy(clean), str(i) if self.test else 0


def run():
    args.rgb_range = 1
    checkpoint = utility.checkpoint(args)
    net = models.Model(args, checkpoint)
    fill(net, 3)
    loader = types.SimpleNamespace(loader_train=torch.utils.data.DataLoader(Pictures(4, False), batch_size=2), loader_test=torch.utils.data.DataLoader(Pictures(2, True), batch_size=1))
    loss = losses.Loss(args, checkpoint)
    trainer = module.Trainer(args, loader, net, loss, checkpoint)
    count = 0
    while not trainer.terminate():
        trainer.train()
        say(f"loss {count}", *loss.log[-1].tolist(), trainer.optimizer.param_groups[0]["lr"])
        trainer.test()
        say(f"psnr {count}", *checkpoint.log[-1].tolist())
        count += 1
    checkpoint.done()
    keep("net", net)
    args.resume = -1
    other = models.Model(args, utility.checkpoint(types.SimpleNamespace(**{**vars(args), "reset": False})))
    other.eval()
    with torch.no_grad():
        say("loaded", other(Pictures(2, True)[1][0].unsqueeze(0), 0)[0].mean().item())


attempt("run", run)
