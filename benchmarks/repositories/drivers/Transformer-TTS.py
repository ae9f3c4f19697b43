import numpy as np
import hyperparams as hp

hp.hidden_size, hp.embedding_size, hp.num_mels, hp.n_mels, hp.n_fft = 32, 24, 10, 10, 64
import torch as t
import torch.nn as nn
from network import Model, ModelPostNet
from module import CBHG
from preprocess import collate_fn_postnet, collate_fn_transformer
from train_transformer import adjust_learning_rate
from probe import array, attempt, fill, keep, quiet, say


def samples(seed):
    rng = np.random.RandomState(seed)
    out = []
    for text, mel in ((6, 11), (8, 9), (5, 12), (7, 10)):
        m = rng.randn(mel, 10).astype("float32")
        out.append({"text": rng.randint(1, 40, text).astype(np.int32), "mel": m, "text_length": text, "mel_input": np.concatenate([np.zeros([1, 10], np.float32), m[:-1, :]], axis=0), "pos_mel": np.arange(1, mel + 1), "pos_text": np.arange(1, text + 1), "mag": rng.rand(mel, 33).astype("float32")})
    return out


def transformer():
    m = nn.DataParallel(Model())
    fill(m)
    quiet(m)
    m.train()
    optimizer = t.optim.Adam(m.parameters(), lr=hp.lr)
    for step in range(3):
        adjust_learning_rate(optimizer, step + 1, 2)
        character, mel, mel_input, pos_text, pos_mel, _ = collate_fn_transformer(samples(step))
        stop_tokens = t.abs(pos_mel.ne(0).type(t.float) - 1)
        mel_pred, postnet_pred, attn_probs, stop_preds, attns_enc, attns_dec = m.forward(character, mel_input, pos_text, pos_mel)
        loss = nn.L1Loss()(mel_pred, mel) + nn.L1Loss()(postnet_pred, mel)
        optimizer.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(m.parameters(), 1.0)
        optimizer.step()
        say("tts %d" % step, loss.item(), norm, attn_probs[0].sum(), attns_dec[2].max(), stop_tokens.sum(), m.module.encoder.alpha.data)
    t.save({"model": m.state_dict(), "optimizer": optimizer.state_dict()}, "checkpoint.pth.tar")
    state = t.load("checkpoint.pth.tar")
    new = {k[7:]: v for k, v in state["model"].items()}
    net = Model()
    net.load_state_dict(new)
    net.train(False)
    character, mel, mel_input, pos_text, pos_mel, _ = collate_fn_transformer(samples(9))
    with t.no_grad():
        pos = t.arange(1, mel_input.size(1) + 1).unsqueeze(0)
        _, out, _, stop, _, _ = net.forward(character[:1], mel_input[:1], pos_text[:1], pos)
        say("tts eval", out.abs().mean(), stop.abs().mean())
    keep("tts", net)


def postnet():
    net = ModelPostNet()
    net.cbhg = CBHG(32, projection_size=32)
    fill(net)
    optimizer = t.optim.Adam(net.parameters(), lr=1e-3)
    for step in range(2):
        mel, mag = collate_fn_postnet(samples(step))
        loss = nn.L1Loss()(net.forward(mel), mag)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        say("postnet %d" % step, loss.item())
    keep("postnet", net)


attempt("transformer", transformer)
attempt("postnet", postnet)
