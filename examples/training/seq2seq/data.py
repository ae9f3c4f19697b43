"""Sequences of digits and the same sequences backwards, of different lengths."""
import random

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, Dataset

PAD_IDX, SOS_IDX, EOS_IDX = 0, 1, 2
VOCAB_SIZE = 13


class ReverseDataset(Dataset):
    def __init__(self, n, min_len=2, max_len=4, seed=0):
        rng = random.Random(seed)
        self.pairs = []
        for _ in range(n):
            length = rng.randint(min_len, max_len)
            digits = [rng.randint(3, VOCAB_SIZE - 1) for _ in range(length)]
            self.pairs.append((digits, digits[::-1]))

    def __len__(self):
        return len(self.pairs)

    def __getitem__(self, idx):
        src, trg = self.pairs[idx]
        src = torch.tensor(src + [EOS_IDX], dtype=torch.long)
        trg = torch.tensor([SOS_IDX] + trg + [EOS_IDX], dtype=torch.long)
        return src, trg


def collate_fn(batch):
    # pack_padded_sequence wants the longest sequence first
    batch = sorted(batch, key=lambda pair: len(pair[0]), reverse=True)
    src_batch, trg_batch = zip(*batch)
    src_len = torch.tensor([len(s) for s in src_batch])
    src = pad_sequence(src_batch, padding_value=PAD_IDX)
    trg = pad_sequence(trg_batch, padding_value=PAD_IDX)
    return src, src_len, trg


def get_loaders(batch_size):
    train_loader = DataLoader(ReverseDataset(320, seed=1), batch_size=batch_size, shuffle=True, collate_fn=collate_fn)
    valid_loader = DataLoader(ReverseDataset(64, seed=2), batch_size=batch_size, collate_fn=collate_fn)
    return train_loader, valid_loader
