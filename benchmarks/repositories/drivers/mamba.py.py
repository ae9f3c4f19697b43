import torch
import torch.nn.functional as F
from mambapy.lm import LM
from mambapy.mamba import MambaConfig
from probe import attempt, fill, keep, say, whole


def run(name, length, **options):
    config = MambaConfig(d_model=16, n_layers=2, d_state=4, **options)
    model = LM(config, 13, pad_vocab_size_multiple=8)
    fill(model)
    optimizer = model.configure_optimizers(0.1, 1e-3, (0.9, 0.95), "cpu")
    say(name + " groups", *[len(group["params"]) for group in optimizer.param_groups])
    for step in range(3):
        tokens = whole(step, 13, 2, length + 1)
        logits = model(tokens[:, :-1])
        loss = F.cross_entropy(logits.view(-1, logits.size(-1)), tokens[:, 1:].reshape(-1), ignore_index=-1)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), norm.item())
    say(name + " text", *model.generate(whole(5, 13, 1, 4), 5, sample=False).view(-1).tolist())
    with torch.no_grad():
        caches = [(None, torch.zeros(2, config.d_inner, config.d_conv - 1)) for _ in range(config.n_layers)]
        x = model.embedding(whole(8, 13, 2, 5))
        for t in range(5):
            y, caches = model.mamba.step(x[:, t], caches)
        say(name + " step", y.abs().sum().item(), (model.mamba(x)[:, -1] - y).abs().max().item() < 1e-4)
    keep(name, model)


attempt("scan", lambda: run("scan", 8))
attempt("padded", lambda: run("padded", 11, inner_layernorms=True))
attempt("loop", lambda: run("loop", 6, pscan=False, bias=True))
attempt("mup", lambda: run("mup", 4, mup=True))
