import os
import sys
import numpy as np
import torch

rng = np.random.RandomState(1)
words = ["w%d" % i for i in range(12)]
for name, count in (("train", 14), ("dev", 4)):
    with open(f"{name}.src", "w") as src, open(f"{name}.tgt", "w") as tgt:
        for i in range(count):
            line = list(rng.choice(words, size=3 + i % 4))
            src.write(" ".join(line) + "\n")
            tgt.write(" ".join(reversed([w.replace("w", "v") for w in line])) + "\n")
sys.argv = ["nmt.py", "--vocab", "vocab.bin", "--batch_size", "3", "--beam_size", "3", "--embed_size", "10", "--hidden_size", "12", "--train_src", "train.src", "--train_tgt", "train.tgt", "--dev_src", "dev.src", "--dev_tgt", "dev.tgt", "--decode_max_time_step", "8", "--valid_niter", "3", "--valid_metric", "word_acc", "--log_every", "1", "--lr", "0.005"]

import nmt as module
import util
import vocab as names
from probe import attempt, fill, keep, say


class Done(Exception):
    pass


def run():
    src, tgt = util.read_corpus("train.src", "src"), util.read_corpus("train.tgt", "tgt")
    torch.save(names.Vocab(src, tgt, 50, 50, remove_singleton=False), "vocab.bin")
    args = module.args = module.init_config()
    args.save_model_after = 2
    begin, save, acc = module.init_training, module.NMT.save, module.get_acc

    def begun(args):
        made = begin(args)
        fill(made[1], 2)
        return made

    def saved(self, path):
        save(self, path)
        keep("model", self)
        raise Done

    def measured(*arguments, **options):
        found = acc(*arguments, **options)
        say("acc", found)
        return found

    loss_of = module.evaluate_loss

    def evaluated(model, data, crit):
        found = loss_of(model, data, crit)
        say("dev", found)
        for pair in data:
            say("words", *(len(h) for h in model.translate(pair[0])))
        return found

    module.init_training, module.NMT.save, module.get_acc, module.evaluate_loss = begun, saved, measured, evaluated
    try:
        module.train(args)
    except Done:
        params = torch.load(args.save_to + ".iter9.bin", weights_only=False)
        model = module.NMT(params["args"], params["vocab"])
        model.load_state_dict(params["state_dict"])
        model.eval()
        say("loaded", loss_of(model, list(zip(src, tgt))[:5], torch.nn.CrossEntropyLoss(reduction="sum")))


attempt("train", run)
