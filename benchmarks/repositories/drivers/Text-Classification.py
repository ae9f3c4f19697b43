import pickle
import sys
from pathlib import Path
import torch
import train
import util
from probe import attempt, fill, keep, say, whole


def run():
    folder = Path("made")
    folder.mkdir(exist_ok=True)
    with open(folder / "vocab.dict", "wb") as file:
        pickle.dump({"[PAD]": 0, "[UNK]": 1, **{f"w{i}": i for i in range(2, 30)}}, file)
    for part, seed in (("train", 1), ("test", 2)):
        tokens = whole(seed, 30, 12, 40)
        tokens[:, 30:] = torch.where(whole(seed + 5, 2, 12, 1) > 0, tokens[:, 30:], torch.zeros_like(tokens[:, 30:]))
        util.save_dataset(tokens, whole(seed + 9, 2, 12), folder, part)
    util.save_embedding(torch.sin(torch.arange(30 * 6).float()).view(30, 6), folder)

    class Trainer(train.Trainer):
        def __init__(self, model, *rest):
            fill(model)
            super().__init__(model, *rest)

        def fit(self):
            super().fit()
            keep(self.model_name, self.model)
            say(self.model_name, *self.test_acc_lst, sum(p.abs().sum().item() for p in self.model.parameters()))

    train.Trainer, held = Trainer, train.DataLoader
    train.DataLoader = lambda data, batch_size, shuffle=False: held(data, batch_size=batch_size)
    for alg in "1234567":
        sys.argv = ["train.py", "-i", "made", "-o", "out", "--epochs", "2", "--batch_size", "4", "--embed_dim", "8", "--hidden_dim", "6", "--attn_dim", "4", "--n_layer", "2", "--dropout", "0", "--alg", alg] + (["--glove"] if alg in "15" else [])
        attempt(alg, train.main)


attempt("run", run)
