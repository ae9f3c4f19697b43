"""Trains a character-level GPT: gradient accumulation, clipping, cosine schedule with warm-up by hand."""

import argparse
import math
from contextlib import nullcontext

import numpy as np
import torch
from model import GPT, GPTConfig

parser = argparse.ArgumentParser()
parser.add_argument("--max_iters", type=int, default=110)
parser.add_argument("--batch_size", type=int, default=8)
parser.add_argument("--block_size", type=int, default=32)
parser.add_argument("--gradient_accumulation_steps", type=int, default=2)
parser.add_argument("--eval_interval", type=int, default=50)
parser.add_argument("--grad_clip", type=float, default=1.0)
args = parser.parse_args()

# adamw optimizer
learning_rate = 3e-3
weight_decay = 1e-1
beta1, beta2 = 0.9, 0.95
# learning rate decay settings
warmup_iters = 10
lr_decay_iters = args.max_iters
min_lr = 3e-4

torch.manual_seed(1337)
rng = np.random.default_rng(1337)
device = "cuda" if torch.cuda.is_available() else "cpu"
device_type = "cuda" if "cuda" in device else "cpu"
ctx = nullcontext() if device_type == "cpu" else torch.amp.autocast(device_type=device_type, dtype=torch.bfloat16)

# a text of counting words, as a poor man's data loader
words = "zero one two three four five six seven eight nine".split()
text = " ".join(words[int(d)] for n in range(2000) for d in str(n)) + "\n"
chars = sorted(set(text))
stoi = {ch: i for i, ch in enumerate(chars)}
itos = {i: ch for i, ch in enumerate(chars)}
data = np.array([stoi[c] for c in text], dtype=np.uint16)
n = int(0.9 * len(data))
train_data, val_data = data[:n], data[n:]


def get_batch(split):
    source = train_data if split == "train" else val_data
    ix = rng.integers(0, len(source) - args.block_size, (args.batch_size,))
    x = torch.stack([torch.from_numpy((source[i : i + args.block_size]).astype(np.int64)) for i in ix])
    y = torch.stack([torch.from_numpy((source[i + 1 : i + 1 + args.block_size]).astype(np.int64)) for i in ix])
    if device_type == "cuda":
        x, y = x.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
    else:
        x, y = x.to(device), y.to(device)
    return x, y


model = GPT(GPTConfig(block_size=args.block_size, vocab_size=len(chars)))
model.to(device)
print(f"number of parameters: {model.get_num_params()}")
scaler = torch.amp.GradScaler(device_type, enabled=False)
optimizer = model.configure_optimizers(weight_decay, learning_rate, (beta1, beta2), device_type)


@torch.no_grad()
def estimate_loss(eval_iters=4):
    out = {}
    model.eval()
    for split in ["train", "val"]:
        losses = torch.zeros(eval_iters)
        for k in range(eval_iters):
            X, Y = get_batch(split)
            with ctx:
                logits, loss = model(X, Y)
            losses[k] = loss.item()
        out[split] = losses.mean()
    model.train()
    return out


# learning rate decay scheduler (cosine with warmup)
def get_lr(it):
    if it < warmup_iters:
        return learning_rate * (it + 1) / (warmup_iters + 1)
    if it > lr_decay_iters:
        return min_lr
    decay_ratio = (it - warmup_iters) / (lr_decay_iters - warmup_iters)
    assert 0 <= decay_ratio <= 1
    coeff = 0.5 * (1.0 + math.cos(math.pi * decay_ratio))
    return min_lr + coeff * (learning_rate - min_lr)


X, Y = get_batch("train")
iter_num = 0
best_val_loss = 1e9
while True:
    # determine and set the learning rate for this iteration
    lr = get_lr(iter_num)
    for param_group in optimizer.param_groups:
        param_group["lr"] = lr

    if iter_num % args.eval_interval == 0:
        losses = estimate_loss()
        print(f"step {iter_num}: train loss {losses['train']:.4f}, val loss {losses['val']:.4f}")
        if losses["val"] < best_val_loss:
            best_val_loss = losses["val"]
            checkpoint = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "iter_num": iter_num,
                          "best_val_loss": best_val_loss}
            torch.save(checkpoint, "ckpt.pt")

    # forward backward update, with optional gradient accumulation to simulate larger batch size
    for micro_step in range(args.gradient_accumulation_steps):
        with ctx:
            logits, loss = model(X, Y)
            loss = loss / args.gradient_accumulation_steps  # scale the loss to account for gradient accumulation
        X, Y = get_batch("train")
        scaler.scale(loss).backward()
    # clip the gradient
    if args.grad_clip != 0.0:
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), args.grad_clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)

    if iter_num % 10 == 0:
        lossf = loss.item() * args.gradient_accumulation_steps
        print(f"iter {iter_num}: loss {lossf:.4f}")
    iter_num += 1
    if iter_num > args.max_iters:
        break

model.eval()
start = torch.tensor([[stoi[c] for c in "one "]], dtype=torch.long, device=device)
print("".join(itos[i] for i in model.generate(start, 24)[0].tolist()))
