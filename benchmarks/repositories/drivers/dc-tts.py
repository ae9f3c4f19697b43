import importlib
import os
import sys
import numpy as np
import torch
from hparams import HParams as hp

hp.e, hp.d, hp.c, hp.n_mels, hp.n_fft, hp.dropout_rate = 6, 8, 10, 5, 12, 0.0
hp.text2mel_max_iteration, hp.ssrn_max_iteration = 3, 3
import datasets.data_loader as data
import datasets.lj_speech as speech
from probe import Board, attempt, fill, keep, say


class Talk(torch.utils.data.Dataset):
    def __init__(self, keys):
        self.keys, self.indices = keys, list(range(8))
        self.text_lengths = [5 + i * 3 % 8 for i in self.indices]

    def slice(self, start, end):
        self.indices, self.text_lengths = self.indices[start:end], self.text_lengths[start:end]

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, index):
        i = self.indices[index]
        rng = np.random.RandomState(i)
        length = 6 + i % 3
        made = {"texts": rng.randint(1, len(speech.vocab), size=self.text_lengths[index]), "mels": rng.rand(length, hp.n_mels).astype("float32"), "mags": rng.rand(4 * length, 1 + hp.n_fft // 2).astype("float32"), "mel_gates": np.ones(length, dtype=np.int64)}
        return {key: made[key] for key in self.keys}


def loader(text2mel_dataset=None, ssrn_dataset=None, batch_size=64, mode="train"):
    found = text2mel_dataset or ssrn_dataset
    found.slice(0, 6) if mode == "train" else found.slice(6, 8)
    sampler = data.PartiallyRandomizedSimilarTimeLengthSampler(lengths=found.text_lengths, data_source=None, batch_size=2, permutate=False)
    say(f"sorted {mode}", *sampler.lengths.tolist(), *sampler.sorted_indices.tolist())
    return torch.utils.data.DataLoader(found, batch_size=3, shuffle=False, num_workers=0, collate_fn=data.collate_fn)


class Writer(Board):
    def __init__(self, log_dir=None):
        os.makedirs(log_dir, exist_ok=True)

    def add_image(self, *arguments):
        pass


nets = {}


def filled(kind, seed):
    def built(*arguments):
        net = kind(*arguments)
        fill(net, seed)
        nets[seed] = net
        return net

    return built


def run(name, seed):
    import logger
    import models
    import utils

    logger.SummaryWriter = Writer
    speech.LJSpeech, data.Text2MelDataLoader, data.SSRNDataLoader = Talk, loader, loader
    kind = {1: "Text2Mel", 2: "SSRN"}[seed]
    setattr(models, kind, filled(getattr(models, kind), seed))
    sys.argv = [name, "--dataset", "ljspeech"]
    try:
        importlib.import_module(name)
    except SystemExit:
        pass
    torch.set_grad_enabled(True)
    keep(kind, nets[seed])
    optimizer = torch.optim.Adam(nets[seed].parameters(), lr=0.001)
    utils.save_checkpoint("logdir", 1, 3, nets[seed], optimizer)
    say(f"{kind} loaded", *utils.load_checkpoint(utils.get_last_checkpoint_file_name("logdir"), nets[seed], optimizer))


def spoken():
    net = nets[1]
    net.eval()
    with torch.no_grad():
        texts, mels = torch.tensor([[3, 4, 5, 6, 7]]), torch.zeros(1, hp.n_mels, 1)
        for _ in range(4):
            _, found, attention = net(texts, mels, monotonic_attention=True)
            mels = torch.cat((torch.zeros(1, hp.n_mels, 1), found), -1)
            say(f"spoken {mels.size(2)}", found.mean().item(), attention[0, :, -1].argmax().item())


attempt("text2mel", lambda: run("train-text2mel", 1))
attempt("ssrn", lambda: run("train-ssrn", 2))
attempt("spoken", spoken)
