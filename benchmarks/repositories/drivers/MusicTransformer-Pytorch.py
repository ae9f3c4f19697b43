import torch
import torch.nn as nn
from model.loss import SmoothCrossEntropyLoss
from model.music_transformer import MusicTransformer
from torch.optim.lr_scheduler import LambdaLR
from utilities.constants import TOKEN_PAD, VOCAB_SIZE
from utilities.device import use_cuda
from utilities.lr_scheduling import LrStepTracker, get_lr
from utilities.run_model import eval_model, train_epoch

from probe import fill, keep, say, whole


def batch(seed):
    x, y = whole(seed, VOCAB_SIZE - 2, 2, 10), whole(seed + 1, VOCAB_SIZE - 2, 2, 10)
    y[1, 7:] = TOKEN_PAD
    return x, y


def run(rpr):
    model = MusicTransformer(n_layers=2, num_heads=2, d_model=16, dim_feedforward=24, dropout=0.0, max_sequence=10, rpr=rpr)
    fill(model)
    stepper = LrStepTracker(16, 3, 0)
    criterion = SmoothCrossEntropyLoss(0.1, VOCAB_SIZE, ignore_index=TOKEN_PAD)
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0, betas=(0.9, 0.98), eps=1e-9)
    schedule = LambdaLR(optimizer, stepper.step)
    for epoch in range(2):
        train_epoch(epoch + 1, model, [batch(epoch), batch(epoch + 5)], criterion, optimizer, schedule, 1)
        say(f"rpr {rpr} {epoch}", *eval_model(model, [batch(20)], nn.CrossEntropyLoss(ignore_index=TOKEN_PAD)), get_lr(optimizer))
    keep(f"music{rpr:d}", model)
    model.eval()
    with torch.no_grad():
        say(f"rpr {rpr} generated", *model.generate(batch(3)[0][0, :4], 8, beam=2, beam_chance=1.0)[0])


use_cuda(False)
run(False)
run(True)
