import types
import torch
from src.config import DEFAULT_CONFIG
from src.loss import AdversarialLoss, StyleLoss
from src.metrics import EdgeAccuracy, PSNR
from src.models import EdgeModel
from src.networks import Discriminator, InpaintGenerator
from probe import array, attempt, fill, keep, say


def config(kind):
    return types.SimpleNamespace(**{**DEFAULT_CONFIG, "GAN_LOSS": kind, "PATH": ".", "LR": 1e-3})


def edges(kind):
    model = EdgeModel(config(kind))
    fill(model)
    accuracy = EdgeAccuracy(0.5)
    for step in range(2):
        model.train()
        gray, edge, mask = torch.sigmoid(array(step, 1, 1, 64, 64)), (array(step + 5, 1, 1, 64, 64) > 0.5).float(), (array(step + 9, 1, 1, 64, 64) > 1).float()
        outputs, gen_loss, dis_loss, logs = model.process(gray, edge, mask)
        precision, recall = accuracy(edge * mask, outputs * mask)
        dis_loss.backward()
        gen_loss.backward()
        model.dis_optimizer.step()
        model.gen_optimizer.step()
        say("%s %d" % (kind, step), *[value for _, value in logs], precision.item(), recall.item(), model.iteration)
    keep("edge" + kind, model)


def inpaint():
    generator, discriminator = InpaintGenerator(2), Discriminator(3, True)
    fill(generator)
    fill(discriminator)
    adversarial = AdversarialLoss("nsgan")
    g_opt, d_opt = torch.optim.Adam(generator.parameters(), 1e-3, betas=(0.0, 0.9)), torch.optim.Adam(discriminator.parameters(), 1e-4, betas=(0.0, 0.9))
    psnr = PSNR(255.0)
    for step in range(2):
        images, rest = torch.sigmoid(array(step, 1, 3, 64, 64)), array(step + 4, 1, 1, 64, 64)
        g_opt.zero_grad()
        d_opt.zero_grad()
        out = generator(torch.cat((images, rest), dim=1))
        real, fake = discriminator(images)[0], discriminator(out.detach())[0]
        dis_loss = (adversarial(real, True, True) + adversarial(fake, False, True)) / 2
        gen_loss = adversarial(discriminator(out)[0], True, False) * 0.1 + torch.nn.L1Loss()(out, images)
        dis_loss.backward()
        gen_loss.backward()
        d_opt.step()
        g_opt.step()
        say("inpaint %d" % step, dis_loss.item(), gen_loss.item(), psnr(out * 255.0, images * 255.0))
    keep("inpaint", generator)


attempt("nsgan", lambda: edges("nsgan"))
attempt("hinge", lambda: edges("hinge"))
attempt("inpaint", inpaint)
