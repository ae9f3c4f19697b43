import types
import numpy as np
import torch
import captioning.models as models
from captioning.modules.losses import LabelSmoothing, LanguageModelCriterion, RewardCriterion
from captioning.utils import misc as utils
from probe import array, attempt, fill, keep, quiet, say, whole


def options(kind):
    return types.SimpleNamespace(caption_model=kind, vocab_size=20, input_encoding_size=16, rnn_size=16, num_layers=2, drop_prob_lm=0.0, max_length=6, seq_length=6, fc_feat_size=12, att_feat_size=12, att_hid_size=10, use_bn=0, logit_layers=1, vocab={str(i): "w%d" % i for i in range(1, 21)}, N_enc=1, N_dec=1, d_model=16, d_ff=32, num_att_heads=4, dropout=0.0, rnn_type="LSTM", multi_head_scale=1, use_multi_head=2, num_heads=4, refine=1, refine_aoa=1, use_ff=0, decoder_type="AoA", mean_feats=1, ctx_drop=0, dropout_aoa=0.0)


def run(kind):
    model = models.setup(options(kind))
    fill(model)
    quiet(model)
    optimizer = torch.optim.Adam(model.parameters(), 5e-4, betas=(0.9, 0.999), eps=1e-8)
    for step in range(3):
        model.train()
        fc, att = array(step, 2, 12), array(step + 3, 2, 5, 12)
        att_masks = torch.ones(2, 5)
        att_masks[1, 4:] = 0
        labels = whole(step, 19, 4, 8) + 1
        labels[:, 0] = 0
        labels[:, 6:] = 0
        masks = (torch.arange(8) < 7).float().expand(4, 8)
        optimizer.zero_grad()
        out = model(fc, att, labels[..., :-1], att_masks)
        crit = LabelSmoothing(smoothing=0.1) if step == 1 else LanguageModelCriterion()
        loss = crit(out, labels[..., 1:], masks[..., 1:])
        loss.backward()
        utils.clip_gradient(optimizer, 0.1) if hasattr(utils, "clip_gradient") else torch.nn.utils.clip_grad_value_(model.parameters(), 0.1)
        optimizer.step()
        say("%s %d" % (kind, step), loss.item())
    keep(kind, model)
    model.eval()
    with torch.no_grad():
        seq, logprobs = model(array(8, 2, 12), array(9, 2, 5, 12), None, opt={"sample_method": "greedy", "beam_size": 1}, mode="sample")
        say(kind + " greedy", *seq.flatten().float(), logprobs[logprobs > -100].sum())
        seq, logprobs = model(array(8, 2, 12), array(9, 2, 5, 12), None, opt={"beam_size": 3, "sample_n": 1}, mode="sample")
        say(kind + " beams", *seq.flatten().float())
        say(kind + " best", *[model.done_beams[0][i]["p"] for i in range(3)])


def reward():
    x = torch.log_softmax(array(1, 4, 6, 21), 2).requires_grad_()
    loss = RewardCriterion()(x, whole(2, 21, 4, 6), array(3, 4, 6))
    loss.backward()
    say("reward", loss.item(), x.grad.abs().sum())


for kind in ("newfc", "att2in2", "updown", "transformer", "aoa"):
    attempt(kind, lambda: run(kind))
attempt("reward", reward)
