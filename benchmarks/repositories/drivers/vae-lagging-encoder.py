import os
import tempfile
from types import SimpleNamespace
import numpy as np
import torch
import text
from data import MonoTextData
from modules import VAE, LSTMDecoder, LSTMEncoder
from probe import attempt, fill, keep, say

folder = tempfile.mkdtemp()
rng = np.random.RandomState(0)
for name in ("train", "val", "test"):
    with open(os.path.join(folder, name), "w") as file:
        for _ in range(60 if name == "train" else 12):
            file.write(" ".join("w%d" % v for v in rng.randint(0, 15, rng.randint(4, 7))) + "\n")


class Vae(VAE):
    def __init__(self, encoder, decoder, args):
        super().__init__(encoder, decoder, args)
        fill(self)
        Vae.last = self


def run(name, **changes):
    args = SimpleNamespace(**{**dict(cuda=False, train_data=folder + "/train", val_data=folder + "/val", test_data=folder + "/test", label=False, batch_size=4, enc_type="lstm", ni=6, enc_nh=8, dec_nh=8, nz=3, dec_dropout_in=0.0, dec_dropout_out=0.0, decode_from="", eval=False, momentum=0.5, aggressive=0, kl_start=0.1, warm_up=2, epochs=2, nsamples=1, iw_nsamples=100, test_nepoch=1, save_path=os.path.join(folder, name + ".pt"), load_path="", dataset="made"), **changes})
    np.random.seed(0)
    text.VAE = Vae
    text.main(args)
    keep(name, Vae.last)
    batches = MonoTextData(args.test_data, label=False, vocab=Vae.last.decoder.vocab).create_data_batch(batch_size=4, device=args.device, batch_first=True)
    model = Vae.last.eval()
    with torch.no_grad():
        say(name + " test", *text.test(model, batches, "TEST", args))
        say(name + " au", text.calc_au(model, batches)[0], *text.calc_au(model, batches)[1])
        mean, _ = model.encode_stats(batches[0])
        say(name + " grid", model.eval_inference_dist(batches[0], mean.unsqueeze(1)).sum().item(), model.nll_iw(batches[0], 4, 2).sum().item())
        say(name + " greedy", *[len(s) for s in model.decode(mean, "greedy")])
        say(name + " beam", *[len(s) for s in model.decode(mean[:2], "beam", 3)])


attempt("plain", lambda: run("plain"))
attempt("aggressive", lambda: run("aggressive", aggressive=1, epochs=1, nsamples=2))
