import torch
import BigGAN
import BigGANdeep
import layers
import train_fns
import utils
from probe import array, attempt, fill, keep, say, whole


def buffers(net):
    for i, (name, b) in enumerate(net.named_buffers()):
        if name.split(".")[-1].startswith("u"):
            b.copy_(array(i, *b.shape))


def run(name, module, **changes):
    calls = [0]

    def z():
        calls[0] += 1
        return array(calls[0], 4, 10)

    config = dict(resolution=32, G_ch=2, D_ch=2, dim_z=10, n_classes=5, G_attn="16", D_attn="16", bottom_width=4, G_shared=True, shared_dim=6, hier=False, num_G_SVs=1, num_D_SVs=1, G_lr=1e-3, D_lr=2e-3, mybn=False, cross_replica=False, batch_size=4, num_D_steps=2, num_D_accumulations=1, num_G_accumulations=1, toggle_grads=True, split_D=False, D_ortho=0.0, G_ortho=0.0, ema=True)
    config.update(changes)
    config.update(z=z, y=lambda: whole(calls[0], 5, 4))
    G, D = module.Generator(**config), module.Discriminator(**config)
    G_ema = module.Generator(**{**config, "skip_init": True, "no_optim": True})
    for i, net in enumerate((G, D)):
        fill(net, i)
        buffers(net)
    ema = utils.ema(G, G_ema, 0.9, 0)
    state = {"itr": 0}
    train = train_fns.GAN_training_function(G, D, module.G_D(G, D), torch.zeros(4, 10), torch.zeros(4, dtype=torch.int64), ema, state, config)
    for step in range(3):
        state["itr"] += 1
        G.train()
        D.train()
        G_ema.train()
        n = 4 * config["num_D_steps"] * config["num_D_accumulations"]
        losses = train(array(step, n, 3, 32, 32) * 0.5, whole(step, 5, n))
        say("%s %d" % (name, step), *[losses[k] for k in sorted(losses)])
    values = [float(getattr(m, "sv0").item()) for m in D.modules() if hasattr(m, "sv0")]
    say(name + " singular", *values)
    G_ema.eval()
    with torch.no_grad():
        say(name + " ema", G_ema(array(9, 2, 10), G_ema.shared(whole(9, 5, 2))).abs().sum().item())
    keep(name + "-G", G)
    keep(name + "-D", D)


def draws():
    z_, y_ = utils.prepare_z_y(4, 10, 5, device="cpu")
    z_.sample_()
    y_.sample_()
    say("draws", z_.shape[0], z_.abs().max().item() > 0, y_.max().item() < 5)


attempt("plain", lambda: run("plain", BigGAN))
attempt("hier", lambda: run("hier", BigGAN, hier=True, dim_z=10, split_D=True, G_ortho=1e-2, D_ortho=1e-2, num_G_SVs=2))
attempt("mybn", lambda: run("mybn", BigGAN, mybn=True, num_D_steps=1, num_D_accumulations=2, num_G_accumulations=2))
attempt("deep", lambda: run("deep", BigGANdeep, hier=True, G_depth=2, D_depth=2, toggle_grads=False))
attempt("draws", draws)
