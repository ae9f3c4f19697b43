import os
import runpy
import numpy as np
import torch
from model import ModelArgs, Transformer
from probe import attempt, fill, keep, say, whole

os.makedirs("data", exist_ok=True)
np.random.RandomState(1).randint(0, 40, size=12 * 16).astype(np.uint16).tofile("data/pretrain_data.bin")
shape = dict(dim=32, n_layers=2, n_heads=4, vocab_size=40, multiple_of=32, max_seq_len=16)


def train():
    runpy.run_path("pretrain.py", run_name="__main__")
    model = Transformer(ModelArgs(**shape))
    model.load_state_dict(torch.load("out/pretrain/epoch_0.pth"))
    keep("model", model)
    model.eval()
    say("generated", *model.generate(whole(3, 40, 1, 4), 2, 6, temperature=0.0)[0].tolist())


def grouped():
    model = Transformer(ModelArgs(n_kv_heads=2, dropout=0.0, **shape))
    fill(model)
    optimizer = model.configure_optimizers(0.1, 1e-3, (0.9, 0.95), "cpu")
    for step in range(4):
        optimizer.zero_grad(set_to_none=True)
        model(whole(step, 40, 3, 12), whole(step + 1, 40, 3, 12))
        model.last_loss.backward()
        optimizer.step()
        say(f"grouped {step}", model.last_loss.item())
    keep("grouped", model)
    say("flops", model.estimate_mfu(4, 1e-6))


attempt("train", train)
attempt("grouped", grouped)
