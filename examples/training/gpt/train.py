"""Trains a character model: gradient accumulation, clipping, decay groups, warm-up and cosine written by hand."""

import argparse
import math
from contextlib import nullcontext

import numpy as np
import torch
from model import GPT, GPTConfig

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=110)
parser.add_argument("--batch-size", type=int, default=8)
parser.add_argument("--context", type=int, default=32)
parser.add_argument("--accumulate", type=int, default=2)
parser.add_argument("--eval-every", type=int, default=50)
parser.add_argument("--clip", type=float, default=1.0)
args = parser.parse_args()

lr_max, lr_min, warmup = 3e-3, 3e-4, 10
weight_decay, betas = 0.1, (0.9, 0.95)

torch.manual_seed(1337)
rng = np.random.default_rng(1337)
device = "cuda" if torch.cuda.is_available() else "cpu"
device_type = "cuda" if "cuda" in device else "cpu"
precision = nullcontext() if device_type == "cpu" else torch.amp.autocast(device_type=device_type, dtype=torch.bfloat16)

# numbers in words, digit by digit
words = "zero one two three four five six seven eight nine".split()
text = " ".join(words[int(digit)] for number in range(2000) for digit in str(number)) + "\n"
chars = sorted(set(text))
encode = {c: i for i, c in enumerate(chars)}
decode = {i: c for c, i in encode.items()}
data = np.array([encode[c] for c in text], dtype=np.uint16)
splits = {"train": data[: int(0.9 * len(data))], "val": data[int(0.9 * len(data)):]}


def get_batch(split):
    source = splits[split]
    starts = rng.integers(0, len(source) - args.context, (args.batch_size,))
    x = torch.stack([torch.from_numpy(source[i : i + args.context].astype(np.int64)) for i in starts])
    y = torch.stack([torch.from_numpy(source[i + 1 : i + 1 + args.context].astype(np.int64)) for i in starts])
    if device_type == "cuda":
        return x.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
    return x.to(device), y.to(device)


model = GPT(GPTConfig(vocab_size=len(chars), context=args.context)).to(device)
print(f"{sum(p.numel() for p in model.parameters()):,} parameters")
scaler = torch.amp.GradScaler(device_type, enabled=False)
optimizer = model.configure_optimizer(weight_decay, lr_max, betas, device_type)


@torch.no_grad()
def estimate_loss(batches=4):
    model.eval()
    means = {}
    for split in ("train", "val"):
        losses = torch.zeros(batches)
        for k in range(batches):
            x, y = get_batch(split)
            with precision:
                _, loss = model(x, y)
            losses[k] = loss.item()
        means[split] = losses.mean()
    model.train()
    return means


def learning_rate(step):
    if step < warmup:
        return lr_max * (step + 1) / (warmup + 1)
    if step > args.steps:
        return lr_min
    progress = (step - warmup) / (args.steps - warmup)
    return lr_min + 0.5 * (1.0 + math.cos(math.pi * progress)) * (lr_max - lr_min)


best = 1e9
x, y = get_batch("train")
step = 0
while True:
    lr = learning_rate(step)
    for group in optimizer.param_groups:
        group["lr"] = lr

    if step % args.eval_every == 0:
        losses = estimate_loss()
        print(f"step {step}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
        if losses["val"] < best:
            best = losses["val"]
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step, "best": best}, "ckpt.pt")

    for micro_step in range(args.accumulate):
        with precision:
            logits, loss = model(x, y)
            loss = loss / args.accumulate
        x, y = get_batch("train")  # the next batch, while a GPU would still be busy
        scaler.scale(loss).backward()
    if args.clip != 0.0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)

    if step % 10 == 0:
        print(f"step {step}: loss {loss.item() * args.accumulate:.4f} lr {lr:.6f}")
    step += 1
    if step > args.steps:
        break

model.eval()
start = torch.tensor([[encode[c] for c in "one "]], dtype=torch.long, device=device)
print("".join(decode[i] for i in model.generate(start, 24)[0].tolist()))
