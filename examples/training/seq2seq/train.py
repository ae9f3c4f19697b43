"""Learn to write a sequence backwards."""
import argparse
import math
import random
import time

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from data import PAD_IDX, VOCAB_SIZE, get_loaders
from model import Attention, Decoder, Encoder, Seq2Seq


def init_weights(m):
    for name, param in m.named_parameters():
        if "weight" in name:
            nn.init.normal_(param.data, mean=0, std=0.1)
        else:
            nn.init.constant_(param.data, 0)


def count_parameters(model):
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


def train(model, iterator, optimizer, criterion, clip, device):
    model.train()
    epoch_loss = 0
    for src, src_len, trg in iterator:
        src, trg = src.to(device), trg.to(device)
        optimizer.zero_grad()
        output = model(src, src_len, trg)
        output_dim = output.shape[-1]
        output = output[1:].view(-1, output_dim)
        trg = trg[1:].view(-1)
        loss = criterion(output, trg)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        epoch_loss += loss.item()
    return epoch_loss / len(iterator)


def evaluate(model, iterator, criterion, device):
    model.eval()
    epoch_loss = 0
    correct, total = 0, 0
    with torch.no_grad():
        for src, src_len, trg in iterator:
            src, trg = src.to(device), trg.to(device)
            output = model(src, src_len, trg, 0)
            output = output[1:].view(-1, output.shape[-1])
            trg = trg[1:].view(-1)
            epoch_loss += criterion(output, trg).item()
            keep = trg != PAD_IDX
            correct += (output.argmax(1)[keep] == trg[keep]).sum().item()
            total += keep.sum().item()
    return epoch_loss / len(iterator), correct / total


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--lr", type=float, default=5e-3)
    parser.add_argument("--seed", type=int, default=1234)
    args = parser.parse_args()

    random.seed(args.seed)
    np.random.seed(args.seed)
    torch.manual_seed(args.seed)
    torch.cuda.manual_seed(args.seed)
    torch.backends.cudnn.deterministic = True
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")

    train_loader, valid_loader = get_loaders(args.batch_size)
    attn = Attention(32, 32)
    enc = Encoder(VOCAB_SIZE, 16, 32, 32, 0.1)
    dec = Decoder(VOCAB_SIZE, 16, 32, 32, 0.1, attn)
    model = Seq2Seq(enc, dec, PAD_IDX, device).to(device)
    model.apply(init_weights)
    print(f"The model has {count_parameters(model):,} trainable parameters")

    optimizer = optim.Adam(model.parameters(), lr=args.lr)
    criterion = nn.CrossEntropyLoss(ignore_index=PAD_IDX)

    best_valid_loss = float("inf")
    for epoch in range(args.epochs):
        start_time = time.time()
        train_loss = train(model, train_loader, optimizer, criterion, 1, device)
        valid_loss, accuracy = evaluate(model, valid_loader, criterion, device)
        if valid_loss < best_valid_loss:
            best_valid_loss = valid_loss
            torch.save(model.state_dict(), "seq2seq-best.pt")
        print(f"Epoch: {epoch + 1:02} | Time: {time.time() - start_time:.1f}s")
        print(f"\tTrain Loss: {train_loss:.3f} | Train PPL: {math.exp(train_loss):7.3f}")
        print(f"\t Val. Loss: {valid_loss:.3f} |  Val. Acc: {accuracy:.4f}")

    model.load_state_dict(torch.load("seq2seq-best.pt"))
    test_loss, accuracy = evaluate(model, valid_loader, criterion, device)
    print(f"test loss={test_loss:.4f} accuracy={accuracy:.4f}")


if __name__ == "__main__":
    main()
