import copy
import torch
import torch.optim as optim
from gan_training.checkpoints import CheckpointIO
from gan_training.models import resnet
from gan_training.train import Trainer, toggle_grad, update_average
from probe import array, attempt, fill, keep, say, whole


def run(name, kinds, gan, reg, kind=optim.RMSprop, param=10.0):
    size = dict(z_dim=6, nlabels=3, size=16, embed_size=5, nfilter=4)
    generator, discriminator = kinds.Generator(**size), kinds.Discriminator(**size)
    fill(generator)
    fill(discriminator, 1)
    target = copy.deepcopy(generator)
    toggle_grad(target, False)
    g_optimizer = kind(generator.parameters(), lr=1e-3)
    d_optimizer = kind(discriminator.parameters(), lr=1e-3)
    trainer = Trainer(generator, discriminator, g_optimizer, d_optimizer, gan_type=gan, reg_type=reg, reg_param=param)
    for step in range(3):
        x_real, y = torch.tanh(array(step, 4, 3, 16, 16)), whole(step, 3, 4)
        dloss, regularizer = trainer.discriminator_trainstep(x_real, y, array(30 + step, 4, 6))
        gloss = trainer.generator_trainstep(y, array(60 + step, 4, 6))
        with torch.no_grad():
            update_average(target, generator, 0.9)
        say("%s %d" % (name, step), dloss, regularizer, gloss)
    keep(name + "g", generator)
    keep(name + "d", discriminator)
    keep(name + "t", target)
    checkpoint = CheckpointIO(checkpoint_dir=".")
    checkpoint.register_modules(generator=generator, discriminator=discriminator, g_optimizer=g_optimizer, d_optimizer=d_optimizer)
    checkpoint.save(name + ".pt", it=3)
    say(name + " it", *[v for v in checkpoint.load(name + ".pt") if isinstance(v, int)])


attempt("real", lambda: run("real", resnet, "standard", "real"))
attempt("fake", lambda: run("fake", resnet, "standard", "fake"))
attempt("both", lambda: run("both", resnet, "standard", "real_fake", optim.SGD))
attempt("wgangp", lambda: run("wgangp", resnet, "wgan", "wgangp", optim.Adam))
attempt("wgangp0", lambda: run("wgangp0", resnet, "standard", "wgangp0", optim.Adam))
attempt("none", lambda: run("none", resnet, "standard", "none"))
