import tempfile
import types
import torch
from attgan import AttGAN
from probe import array, attempt, fill, keep, say, whole


def run(mode, dis_norm, shortcut, inject, dec_norm="batchnorm"):
    args = {"mode": mode, "gpu": False, "multi_gpu": False, "lambda_1": 100.0, "lambda_2": 10.0, "lambda_3": 1.0, "lambda_gp": 10.0, "enc_dim": 4, "enc_layers": 4, "enc_norm": "batchnorm", "enc_acti": "lrelu", "dec_dim": 4, "dec_layers": 4, "dec_norm": dec_norm, "dec_acti": "relu", "n_attrs": 13, "shortcut_layers": shortcut, "inject_layers": inject, "img_size": 64, "dis_dim": 4, "dis_norm": dis_norm, "dis_acti": "lrelu", "dis_fc_dim": 16, "dis_fc_norm": "none", "dis_fc_acti": "relu", "dis_layers": 4, "lr": 2e-4, "betas": (0.5, 0.999)}

    class Args(types.SimpleNamespace):
        def __contains__(self, name):
            return hasattr(self, name)

    gan = AttGAN(Args(**args))
    fill(gan.G, 1)
    fill(gan.D, 2)
    key = f"{mode} {dis_norm} {dec_norm}"
    img, att_a, att_b = array(3, 3, 3, 64, 64).tanh(), whole(4, 2, 3, 13).type(torch.float), whole(5, 2, 3, 13).type(torch.float)
    gan.set_lr(1e-4)
    for step in range(4):
        gan.train()
        if (step + 1) % 3 != 0:
            errors = gan.trainD(img, att_a, att_a - 0.5, att_b, att_b - 0.5)
        else:
            errors = gan.trainG(img, att_a, att_a - 0.5, att_b, att_b - 0.5)
        say(f"{key} {step}", *errors.values())
    keep(key + " G", gan.G)
    keep(key + " D", gan.D)
    folder = tempfile.mkdtemp()
    gan.save(folder + "/all.pth")
    gan.load(folder + "/all.pth")
    gan.eval()
    with torch.no_grad():
        att = (att_a * 2 - 1) * 0.5
        att[..., 2] = att[..., 2] * 1.0 / 0.5
        say(key + " image", gan.G(img, att).abs().mean().item())


attempt("wgan", lambda: run("wgan", "instancenorm", 1, 0))
attempt("lsgan", lambda: run("lsgan", "none", 2, 1))
attempt("dcgan", lambda: run("dcgan", "instancenorm", 1, 1, "switchnorm"))
