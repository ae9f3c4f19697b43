import contextlib
import json
import os
import types
import numpy as np
import torch
import train
from probe import attempt, fill, keep, say

for i in range(4):
    os.makedirs(f"made/data/s{i % 2}", exist_ok=True)
    rng = np.random.RandomState(i)
    np.save(f"made/data/s{i % 2}/u{i}.wav.npy", rng.randint(0, 16, 400))
    np.save(f"made/data/s{i % 2}/u{i}.mel.npy", rng.randn(5, 50).astype("float32"))
with open("made/data/speakers.json", "w") as file:
    json.dump(["s0", "s1"], file)
with open("made/data/train.json", "w") as file:
    json.dump([["", 0, 5.0, f"data/s{i % 2}/u{i}"] for i in range(4)], file)


class Config(dict):
    __getattr__ = dict.__getitem__


class Amp:
    def initialize(self, models, optimizer, opt_level):
        for i, model in enumerate(models):
            fill(model, i)
        models[0].codebook.embedding.copy_(torch.sin(torch.arange(24).float()).view(8, 3))
        models[0].codebook.ema_weight.copy_(models[0].codebook.embedding)
        Amp.models = models
        return models, optimizer

    @contextlib.contextmanager
    def scale_loss(self, loss, optimizer):
        say("loss", loss.item())
        yield loss

    def master_params(self, optimizer):
        return [p for group in optimizer.param_groups for p in group["params"]]

    def state_dict(self):
        return {}


def run():
    import random

    random.seed(0)
    train.amp, train.tqdm = Amp(), list
    train.utils = types.SimpleNamespace(to_absolute_path=lambda path: path)
    encoder = dict(in_channels=5, channels=6, n_embeddings=8, embedding_dim=3, jitter=0)
    decoder = dict(in_channels=3, n_speakers=2, speaker_embedding_dim=2, conditioning_channels=4, mu_embedding_dim=4, rnn_channels=6, fc_channels=5, bits=4, hop_length=8)
    train.train_model(Config(checkpoint_dir="made/out", resume="", dataset=Config(path=os.path.abspath("made/data")), model=Config(encoder=encoder, decoder=decoder), preprocessing=Config(hop_length=8, sr=160), training=Config(sample_frames=8, batch_size=2, n_workers=0, n_steps=3, checkpoint_interval=2, optimizer=Config(lr=1e-3), scheduler=Config(milestones=[2], gamma=0.5))))
    encoder, decoder = Amp.models
    keep("encoder", encoder)
    keep("decoder", decoder)
    saved = torch.load("made/out/model.ckpt-2.pt")
    say("saved", saved["step"], sum("num_batches" not in k for k in saved["encoder"]), *saved["optimizer"]["param_groups"][0]["betas"], saved["scheduler"]["last_epoch"], sum(float(v.float().abs().sum()) for v in saved["decoder"].values()))
    encoder.eval()
    decoder.eval()
    with torch.no_grad():
        z, indices = encoder.encode(torch.sin(torch.arange(5 * 10).float()).view(1, 5, 10))
        say("codes", *indices, z.abs().sum().item())
        say("generated", *decoder.generate(z[:, :2], torch.tensor([1]))[:8])


attempt("run", run)
