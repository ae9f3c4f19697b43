from types import SimpleNamespace

import torch
import torch.nn as nn
from models.definitions.transformer_model import Transformer, count_parameters
from utils.constants import BOS_TOKEN, EOS_TOKEN, PAD_TOKEN
from utils.data_utils import get_masks_and_count_tokens, get_src_and_trg_batches
from utils.decoding_utils import greedy_decoding
from utils.optimizers_and_distributions import CustomLRAdamOptimizer, LabelSmoothingDistribution

from probe import fill, keep, say, whole

WORDS = ["<unk>", PAD_TOKEN, BOS_TOKEN, EOS_TOKEN, *"abcdefgh"]


def sentences(seed):
    src, trg = whole(seed, 8, 3, 7) + 4, whole(seed + 1, 8, 3, 6) + 4
    src[:, 5:], trg[:, 0], trg[:, 4] = 1, 2, 3
    trg[2, 5] = 1
    return SimpleNamespace(src=src, trg=trg)


def main():
    field = SimpleNamespace(vocab=SimpleNamespace(stoi={w: i for i, w in enumerate(WORDS)}, itos=WORDS))
    model = Transformer(16, len(WORDS), len(WORDS), number_of_heads=4, number_of_layers=2, dropout_probability=0.0, log_attention_weights=True)
    fill(model)
    say("parameters", count_parameters(model))
    criterion = nn.KLDivLoss(reduction="batchmean")
    smoothing = LabelSmoothingDistribution(0.1, 1, len(WORDS), "cpu")
    optimizer = CustomLRAdamOptimizer(torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9), 16, 10)
    for step in range(4):
        model.train()
        src, given, true = get_src_and_trg_batches(sentences(step))
        src_mask, trg_mask, n_src, n_trg = get_masks_and_count_tokens(src, given, 1, "cpu")
        predicted = model(src, given, src_mask, trg_mask)
        optimizer.zero_grad()
        loss = criterion(predicted, smoothing(true))
        loss.backward()
        optimizer.step()
        say(f"step {step}", loss.item(), n_src, n_trg, optimizer.get_current_learning_rate())
    keep("transformer", model)
    model.eval()
    with torch.no_grad():
        for row in greedy_decoding(model, model.encode(src, src_mask), src_mask, field, max_target_tokens=5):
            say("decoded", *[field.vocab.stoi[w] for w in row])


main()
