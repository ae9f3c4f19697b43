import os
import shutil
import sys
import types
import numpy as np
import torch

NAMES = {"tokenizers": ("Tokenizer",), "tokenizers.models": ("WordLevel",), "tokenizers.trainers": ("WordLevelTrainer",), "tokenizers.pre_tokenizers": ("Whitespace",), "torchmetrics": ("CharErrorRate", "WordErrorRate", "BLEUScore")}
for name, members in NAMES.items():
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update({member: type(member, (), {"__call__": lambda self, a, b: float(sum(len(x) for x in a))}) for member in members})

import train as module
from config import get_config
from probe import Board, attempt, say


class Words:
    special = ["[UNK]", "[PAD]", "[SOS]", "[EOS]"]

    def token_to_id(self, word):
        return self.special.index(word)

    def get_vocab_size(self):
        return 14

    def encode(self, text):
        return types.SimpleNamespace(ids=[4 + int(word) for word in text.split()])

    def decode(self, ids):
        say("decoded", *ids)
        return " ".join(str(int(i)) for i in ids)


def texts(*arguments, **options):
    rng = np.random.RandomState(3)
    return [{"translation": {lang: " ".join(map(str, rng.randint(10, size=3 + i % 4))) for lang in ("en", "it")}} for i in range(11)]


def run():
    module.load_dataset, module.SummaryWriter = texts, Board
    module.get_or_build_tokenizer = lambda config, ds, lang: Words()
    config = get_config()
    config.update(batch_size=3, num_epochs=2, lr=1e-3, seq_len=10, d_model=16, datasource="made")
    shutil.rmtree("made_weights", ignore_errors=True)
    module.train_model(config)
    config["num_epochs"] = 3
    module.train_model(config)
    found = torch.load("made_weights/tmodel_02.pt")
    np.savez(os.environ["OUT"] + "-model.npz", **{f"{i:04d} {k}": v.detach().numpy() for i, (k, v) in enumerate(found["model_state_dict"].items())})
    say("kept", found["epoch"], found["global_step"])


attempt("train", run)
