import hparams as hp
hp.encoder_dim = hp.decoder_dim = 32
hp.encoder_n_layer = hp.decoder_n_layer = 2
hp.encoder_conv1d_filter_size = hp.decoder_conv1d_filter_size = 64
hp.duration_predictor_filter_size = 32
hp.num_mels = 20
hp.vocab_size = 40
hp.max_seq_len = 60
hp.dropout = 0.0
import numpy as np
import torch
from loss import DNNLoss
from model import FastSpeech
from optimizer import ScheduledOptim
import utils
from probe import array, attempt, fill, keep, quiet, say, whole


def batch(i):
    durations = whole(i, 4, 2, 7) + 1
    durations[1, 5:] = 0
    lengths = durations.sum(1)
    longest = int(lengths.max())
    pos = torch.zeros(2, longest).long()
    for row in range(2):
        pos[row, :int(lengths[row])] = torch.arange(1, int(lengths[row]) + 1)
    src_pos = torch.tensor([[1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 0, 0]])
    text = whole(i + 5, 39, 2, 7) + 1
    text[1, 5:] = 0
    return text, src_pos, pos, longest, durations.int(), array(i + 9, 2, longest, 20)


def main():
    model = FastSpeech()
    fill(model)
    quiet(model)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    scheduled = ScheduledOptim(optimizer, hp.decoder_dim, hp.n_warm_up_step, 0)
    losses = DNNLoss()
    model.train()
    for step in range(3):
        text, src_pos, pos, longest, durations, target = batch(step * 20)
        scheduled.zero_grad()
        mel, post, predicted = model(text, src_pos, mel_pos=pos, mel_max_length=longest, length_target=durations)
        parts = losses(mel, post, predicted, target, durations)
        total = parts[0] + parts[1] + parts[2]
        total.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), hp.grad_clip_thresh)
        if step == 2:
            scheduled.step_and_update_lr_frozen(1e-3)
        else:
            scheduled.step_and_update_lr()
        say("step %d" % step, total.item(), *[p.item() for p in parts], float(norm), scheduled.get_learning_rate())
    keep("fastspeech", model)
    model.eval()

    def infer():
        model.length_regulator.duration_predictor.linear_layer.linear_layer.bias.data.fill_(2.0)
        with torch.no_grad():
            mel, post = model(whole(3, 39, 1, 6) + 1, torch.arange(1, 7).unsqueeze(0), alpha=1.0)
        say("infer", mel.shape[1], mel.mean(), post.std())
    attempt("infer", infer)
    say("mask", utils.get_mask_from_lengths(torch.tensor([3, 5]), 6).float().sum())


main()
