import json
import os
import tempfile
from types import SimpleNamespace
import numpy as np
import torch
import evaluate
import train
import utils.model
from model import FastSpeech2
from probe import attempt, fill, keep, quiet, say

folder = tempfile.mkdtemp()
rng = np.random.RandomState(0)
for kind in ("mel", "pitch", "energy", "duration"):
    os.makedirs(os.path.join(folder, kind))
lines = []
for i in range(12):
    n = rng.randint(4, 8)
    durations = rng.randint(1, 4, n)
    arrays = dict(mel=rng.randn(durations.sum(), 80).astype("float32"), pitch=rng.randn(n), energy=rng.randn(n).astype("float32"), duration=durations)
    for kind, a in arrays.items():
        np.save(os.path.join(folder, kind, "one-%s-%d.npy" % (kind, i)), a)
    lines.append("%d|one|{%s}|raw %d" % (i, " ".join(rng.choice(["HH", "AW1", "S", "T", "IY0"], n)), i))
for name, some in (("train.txt", lines), ("val.txt", lines[:5])):
    with open(os.path.join(folder, name), "w") as text:
        text.write("\n".join(some))
json.dump({"one": 0, "two": 1}, open(os.path.join(folder, "speakers.json"), "w"))
json.dump({"pitch": [-2.0, 2.0, 0.0, 1.0], "energy": [-2.0, 2.0, 0.0, 1.0]}, open(os.path.join(folder, "stats.json"), "w"))


def configs(feature, speakers):
    level = {"feature": feature, "normalization": True}
    return (
        {"dataset": "LJSpeech", "path": {"preprocessed_path": folder}, "preprocessing": {"text": {"text_cleaners": ["english_cleaners"], "language": "en"}, "mel": {"n_mel_channels": 80}, "pitch": level, "energy": level}},
        {"transformer": dict(encoder_layer=1, encoder_head=2, encoder_hidden=8, decoder_layer=1, decoder_head=2, decoder_hidden=8, conv_filter_size=12, conv_kernel_size=[9, 1], encoder_dropout=0.0, decoder_dropout=0.0), "variance_predictor": dict(filter_size=8, kernel_size=3, dropout=0.0), "variance_embedding": dict(pitch_quantization="linear", energy_quantization="linear", n_bins=6), "multi_speaker": speakers, "max_seq_len": 40, "vocoder": {"model": "none", "speaker": "none"}},
        {"path": {k: os.path.join(folder, k) for k in ("ckpt_path", "log_path", "result_path")}, "optimizer": dict(batch_size=2, betas=[0.9, 0.98], eps=1e-9, weight_decay=0.0, grad_clip_thresh=1.0, grad_acc_step=1, warm_up_step=4, anneal_steps=[2], anneal_rate=0.3), "step": dict(total_step=4, log_step=1, synth_step=99, val_step=99, save_step=4)},
    )


def run(name, feature, speakers):
    chosen = configs(feature, speakers)

    def made(args, configs, device, train=False):
        model, optimizer = utils.model.get_model(args, configs, device, train)
        fill(model)
        quiet(model)
        return model, optimizer

    train.get_model = made
    train.get_vocoder = lambda config, device: None
    try:
        train.main(SimpleNamespace(restore_step=0), chosen)
    except SystemExit:
        pass
    with open(os.path.join(folder, "log_path", "train", "log.txt")) as text:
        for i, line in enumerate(text.readlines()[-4:]):
            say("%s %d" % (name, i), *[float(part.split(":")[1]) for part in line.split(",")[1:]])
    model = FastSpeech2(chosen[0], chosen[1])
    model.load_state_dict(torch.load(os.path.join(folder, "ckpt_path", "4.pth.tar"), weights_only=False)["model"])
    model.eval()
    message = evaluate.evaluate(model, 4, chosen)
    say(name + " valid", *[float(part.split(":")[1]) for part in message.split(",")[1:]])
    with torch.no_grad():
        out = model(torch.zeros(1, dtype=torch.int64), torch.arange(70, 76).unsqueeze(0), torch.tensor([6]), 6, d_control=1.5)
        say(name + " spoken", out[1].shape[1] > -1, out[2].sum().item(), out[5].sum().item())
    keep(name, model)


attempt("phoneme", lambda: run("phoneme", "phoneme_level", False))
attempt("speakers", lambda: run("speakers", "phoneme_level", True))
