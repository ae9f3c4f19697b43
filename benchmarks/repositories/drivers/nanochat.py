import os
import sys
import types

os.environ["TORCHDYNAMO_DISABLE"] = "1"
for name in ("rustbpe", "tiktoken"):
    sys.modules[name] = types.ModuleType(name)

import numpy as np
import torch
from nanochat.engine import KVCache
from nanochat.gpt import GPT, GPTConfig
from probe import attempt, fill, keep, say, whole


def made(pattern, heads, kv):
    model = GPT(GPTConfig(sequence_len=12, vocab_size=50, n_layer=3, n_head=heads, n_kv_head=kv, n_embd=32, window_pattern=pattern))
    model.init_weights()
    fill(model, 1)
    with torch.no_grad():
        model.resid_lambdas.add_(1.0)
        model.backout_lambda.add_(0.2)
    return model


def run(name, pattern, heads, kv):
    model = made(pattern, heads, kv)
    counts = model.num_scaling_params()
    say(name + " sizes", *counts.values(), model.estimate_flops(), model.estimate_decode_flops(9), model.kv_bytes_per_token())
    optimizer = model.setup_optimizer(unembedding_lr=0.01, embedding_lr=0.05, matrix_lr=0.02, weight_decay=0.1, scalar_lr=0.1)
    for step in range(4):
        model.train()
        for part in range(2):
            loss = model(whole(10 * step + part, 50, 2, 12), whole(100 + 10 * step + part, 50, 2, 12)) / 2
            loss.backward()
            say(f"{name} loss {step} {part}", loss.item())
        for group in optimizer.param_groups:
            group["lr"] = group["initial_lr"] * (1 - step / 8)
            if group["kind"] == "muon":
                group["momentum"] = 0.85 + 0.02 * step
        optimizer.step()
        model.zero_grad(set_to_none=True)
    keep(name, model)
    model.eval()
    with torch.no_grad():
        losses = model(whole(7, 50, 2, 12), whole(8, 50, 2, 12), loss_reduction="none")
        say(name + " each", *losses.flatten()[:5])
    say(name + " written", *model.generate([3, 1, 4, 1, 5], 6, temperature=0.0), *model.generate([2, 7], 3, temperature=1.0, top_k=1))
    with torch.inference_mode():
        cache = KVCache(1, kv, 12, 32 // heads, 3, device="cpu", dtype=torch.float32)
        ids = torch.tensor([[3, 1, 4, 1, 5]])
        for _ in range(4):
            ids = model(ids, kv_cache=cache)[:, -1].argmax(-1, keepdim=True)
            say(name + " cached", ids.item(), cache.get_pos())
    found = optimizer.state_dict()
    again = made(pattern, heads, kv).setup_optimizer()
    again.load_state_dict(found)
    say(name + " kept", len(found["state"]), len(again.state), *(float(v["exp_avg"].abs().sum()) for v in again.state.values() if "exp_avg" in v))


attempt("long", lambda: run("long", "L", 4, 4))
attempt("groups", lambda: run("groups", "SL", 4, 2))
