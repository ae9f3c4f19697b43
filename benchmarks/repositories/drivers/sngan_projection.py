import types
import torch
import losses as L
import utils
import train_64
from models.discriminators.snresnet64 import SNResNetConcatDiscriminator, SNResNetProjectionDiscriminator
from models.generators.resnet64 import ResNetGenerator
from probe import array, attempt, fill, keep, say, whole


def run(name, make, kind, relative):
    torch.manual_seed(0)
    gen = ResNetGenerator(4, 8, 4, num_classes=3)
    dis = make()
    fill(gen)
    fill(dis, 1)
    for m in dis.modules():
        if hasattr(m, "weight_u"):
            n = m.weight_u.shape[0]
            m.weight_u.copy_(torch.ones(n) / n**0.5)
            if hasattr(m, "weight_v"):
                k = m.weight_v.shape[0]
                m.weight_v.copy_(torch.ones(k) / k**0.5)
    opt_gen = torch.optim.Adam(gen.parameters(), 2e-4, (0.0, 0.9))
    opt_dis = torch.optim.Adam(dis.parameters(), 2e-4, (0.0, 0.9))
    gen_criterion = L.GenLoss(kind, relative)
    dis_criterion = L.DisLoss(kind, relative)
    for n_iter in range(2):
        train_64.decay_lr(opt_gen, 10, 0, 2e-4)
        for i in range(2):
            y = whole(10 * n_iter + i, 3, 4)
            fake = gen(array(20 + i, 4, 8), y)
            real = torch.tanh(array(i, 4, 3, 64, 64))
            if i == 0:
                loss_gen = gen_criterion(dis(fake, y), dis(real, y))
                gen.zero_grad()
                loss_gen.backward()
                opt_gen.step()
            dis_fake = dis(fake.detach(), y)
            dis_real = dis(real, y)
            loss_dis = dis_criterion(dis_fake, dis_real)
            dis.zero_grad()
            loss_dis.backward()
            opt_dis.step()
            say("%s %d %d" % (name, n_iter, i), loss_gen.item(), loss_dis.item())
    keep(name + "-gen", gen)
    keep(name + "-dis", dis)


attempt("projection", lambda: run("projection", lambda: SNResNetProjectionDiscriminator(4, 3), "hinge", False))
attempt("concat", lambda: run("concat", lambda: SNResNetConcatDiscriminator(4, 3, dim_emb=4), "dcgan", False))
attempt("relative", lambda: run("relative", lambda: SNResNetProjectionDiscriminator(4, 3), "hinge", True))
