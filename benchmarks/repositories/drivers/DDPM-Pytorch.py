import json
import os
from types import SimpleNamespace
import numpy as np
import torch
from PIL import Image
import dataset.mnist_dataset as dataset
import tools.sample_ddpm as sampling
import tools.train_ddpm as training
from models.unet_base import Unet
from probe import attempt, fill, keep, say
from scheduler.linear_noise_scheduler import LinearNoiseScheduler

config = {
    "dataset_params": {"im_path": "made"},
    "diffusion_params": {"num_timesteps": 20, "beta_start": 0.0001, "beta_end": 0.02},
    "model_params": {"im_channels": 1, "im_size": 12, "down_channels": [8, 16, 16], "mid_channels": [16, 16], "down_sample": [True, False], "time_emb_dim": 8, "num_down_layers": 2, "num_mid_layers": 1, "num_up_layers": 2, "num_heads": 2},
    "train_params": {"task_name": "made_task", "batch_size": 2, "num_epochs": 2, "num_samples": 2, "num_grid_rows": 1, "lr": 0.001, "ckpt_name": "net.pth"},
}
os.makedirs("made/0", exist_ok=True)
with open("made.json", "w") as file:
    json.dump(config, file)
for i in range(4):
    Image.fromarray(np.random.RandomState(i).randint(0, 255, (12, 12)).astype("uint8")).save(f"made/0/{i}.png")


class Net(Unet):
    def __init__(self, options):
        super().__init__(options)
        fill(self)
        Net.last = self


def run():
    if os.path.exists("made_task/net.pth"):
        os.remove("made_task/net.pth")
    training.Unet, training.tqdm, sampling.tqdm = Net, list, list
    dataset.tqdm = list
    training.train(SimpleNamespace(config_path="made.json"))
    keep("net", Net.last)
    say("net", sum(p.abs().sum().item() for p in Net.last.parameters()))
    model = Unet(config["model_params"])
    model.load_state_dict(torch.load("made_task/net.pth"))
    model.eval()
    with torch.no_grad():
        say("predicted", model(torch.ones(2, 1, 12, 12), torch.tensor([3, 7])).abs().sum().item())
        sampling.sample(model, LinearNoiseScheduler(20, 0.0001, 0.02), config["train_params"], config["model_params"], config["diffusion_params"])
    for i in (0, 19):
        say(f"image {i}", np.asarray(Image.open(f"made_task/samples/x0_{i}.png")).astype("float64").mean())


attempt("run", run)
