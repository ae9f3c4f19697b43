"""A small decoder-only transformer."""

import inspect
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class GPTConfig:
    vocab_size: int = 64
    context: int = 32
    layers: int = 2
    heads: int = 4
    width: int = 32
    dropout: float = 0.0
    bias: bool = True


class SelfAttention(nn.Module):
    """Attention to the present and earlier places, all heads in one projection."""

    def __init__(self, config: GPTConfig):
        super().__init__()
        assert config.width % config.heads == 0, "heads share the width"
        self.heads, self.head_width = config.heads, config.width // config.heads
        self.qkv = nn.Linear(config.width, 3 * config.width, bias=config.bias)
        self.proj = nn.Linear(config.width, config.width, bias=config.bias)
        self.dropout = nn.Dropout(config.dropout)
        future = torch.triu(torch.ones(config.context, config.context, dtype=torch.bool), diagonal=1)
        self.register_buffer("future", future, persistent=False)

    def forward(self, x):
        batch, length, width = x.size()
        q, k, v = self.qkv(x).split(width, dim=2)
        q, k, v = (t.view(batch, length, self.heads, self.head_width).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_width)
        scores = scores.masked_fill(self.future[:length, :length], float("-inf"))
        weights = self.dropout(F.softmax(scores, dim=-1))
        out = (weights @ v).transpose(1, 2).contiguous().view(batch, length, width)
        return self.proj(out)


class Block(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.norm1 = nn.LayerNorm(config.width)
        self.attention = SelfAttention(config)
        self.norm2 = nn.LayerNorm(config.width)
        self.mlp = nn.Sequential(
            nn.Linear(config.width, 4 * config.width, bias=config.bias),
            nn.GELU(),
            nn.Linear(4 * config.width, config.width, bias=config.bias),
            nn.Dropout(config.dropout),
        )

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp(self.norm2(x))


class GPT(nn.Module):
    def __init__(self, config: GPTConfig):
        super().__init__()
        self.config = config
        self.transformer = nn.ModuleDict({
            "tokens": nn.Embedding(config.vocab_size, config.width),
            "places": nn.Embedding(config.context, config.width),
            "blocks": nn.ModuleList([Block(config) for _ in range(config.layers)]),
            "norm": nn.LayerNorm(config.width),
        })
        self.head = nn.Linear(config.width, config.vocab_size, bias=False)
        self.apply(self._init_weights)
        for name, p in self.named_parameters():
            if name.endswith("proj.weight"):  # many residuals add up
                nn.init.normal_(p, mean=0.0, std=0.02 / math.sqrt(2 * config.layers))

    def _init_weights(self, module):
        if isinstance(module, (nn.Linear, nn.Embedding)):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def forward(self, idx, targets=None):
        length = idx.size(1)
        assert length <= self.config.context, f"{length} tokens do not fit into a context of {self.config.context}"
        places = torch.arange(length, dtype=torch.long, device=idx.device)
        x = self.transformer.tokens(idx) + self.transformer.places(places)
        for block in self.transformer.blocks:
            x = block(x)
        x = self.transformer.norm(x)
        if targets is None:
            return self.head(x[:, [-1], :]), None  # only the last place is needed to go on writing
        logits = self.head(x)
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1), ignore_index=-1)
        return logits, loss

    def configure_optimizer(self, weight_decay, lr, betas, device_type):
        """AdamW that decays matrices, and neither biases nor norms."""
        params = {name: p for name, p in self.named_parameters() if p.requires_grad}
        groups = [
            {"params": [p for p in params.values() if p.dim() >= 2], "weight_decay": weight_decay},
            {"params": [p for p in params.values() if p.dim() < 2], "weight_decay": 0.0},
        ]
        print("decayed: {:,} numbers, others: {:,}".format(*(sum(p.numel() for p in g["params"]) for g in groups)))
        fused = device_type == "cuda" and "fused" in inspect.signature(torch.optim.AdamW).parameters
        extra = dict(fused=True) if fused else dict()
        return torch.optim.AdamW(groups, lr=lr, betas=betas, **extra)

    @torch.no_grad()
    def generate(self, idx, count):
        for _ in range(count):
            seen = idx if idx.size(1) <= self.config.context else idx[:, -self.config.context:]
            logits, _ = self(seen)
            following = logits[:, -1, :].argmax(dim=-1, keepdim=True)
            idx = torch.cat((idx, following), dim=1)
        return idx
