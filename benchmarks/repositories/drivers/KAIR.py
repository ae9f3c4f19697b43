import tempfile
import torch
from models.model_plain import ModelPlain
from models.network_ffdnet import FFDNet
from models.network_imdn import IMDN
from models.network_msrresnet import MSRResNet0
from models.network_rrdbnet import RRDBNet
from models.network_unet import UNetRes
from models.select_network import define_G
from probe import array, attempt, fill, fit, keep, say


def options(net, **changes):
    train = dict(E_decay=0.9, G_lossfn_type="l1", G_lossfn_weight=1.0, G_charbonnier_eps=1e-9, G_optimizer_type="adam", G_optimizer_lr=1e-3, G_optimizer_betas=[0.9, 0.999], G_optimizer_wd=0, G_optimizer_clipgrad=None, G_optimizer_reuse=True, G_scheduler_type="MultiStepLR", G_scheduler_milestones=[2, 3], G_scheduler_gamma=0.5, G_regularizer_orthstep=None, G_regularizer_clipstep=None, G_param_strict=True, E_param_strict=True, checkpoint_save=100)
    shared = dict(init_type="orthogonal", init_bn_type="uniform", init_gain=0.2)
    return dict(task="made", gpu_ids=None, is_train=True, dist=False, scale=2 if net.get("upscale") else 1, path=dict(models=tempfile.mkdtemp(), pretrained_netG=None, pretrained_netE=None, pretrained_optimizerG=None), netG={**shared, **net}, train={**train, **changes})


def run(name, net, channels, scale=1, **changes):
    opt = options(net, **changes)
    model = ModelPlain(opt)
    fill(model.netG)
    for net in (model.netG, model.netE):
        for part in net.modules():
            if hasattr(part, "drop_prob"):
                part.drop_prob = 0.0
    model.init_train()
    for step in range(1, 5):
        model.update_learning_rate(step)
        model.feed_data({"L": array(step, 2, channels, 16, 16), "H": array(step + 20, 2, channels, 16 * scale, 16 * scale)})
        model.optimize_parameters(step)
        say(f"{name} {step}", model.current_log()["G_loss"], model.current_learning_rate())
    model.test()
    say(name + " test", model.current_visuals()["E"].abs().sum().item())
    print(model.info_params())
    model.save(4)
    keep(name, model.netG)
    keep(name + "-average", model.netE)
    opt["path"].update(pretrained_netG=opt["path"]["models"] + "/4_G.pth", pretrained_netE=opt["path"]["models"] + "/4_E.pth", pretrained_optimizerG=opt["path"]["models"] + "/4_optimizerG.pth")
    again = ModelPlain(opt)
    for part in again.netG.modules():
        if hasattr(part, "drop_prob"):
            part.drop_prob = 0.0
    again.init_train()
    again.feed_data({"L": array(9, 2, channels, 16, 16), "H": array(29, 2, channels, 16 * scale, 16 * scale)})
    again.optimize_parameters(5)
    say(name + " again", again.current_log()["G_loss"])
    again.testx8()
    say(name + " x8", again.current_results()["E"].abs().sum().item())


swin = dict(net_type="swinir", upscale=2, in_chans=3, img_size=16, window_size=8, img_range=1.0, depths=[2, 2], embed_dim=12, num_heads=[2, 2], mlp_ratio=2, upsampler="pixelshuffledirect", resi_connection="1conv", init_type="default")
attempt("dncnn", lambda: run("dncnn", dict(net_type="dncnn", in_nc=1, out_nc=1, nc=6, nb=4, act_mode="BR"), 1, G_regularizer_orthstep=2, G_regularizer_clipstep=2))
attempt("swinir", lambda: run("swinir", swin, 3, 2, G_lossfn_type="charbonnier"))
attempt("ssim", lambda: run("ssim", dict(net_type="drunet", in_nc=3, out_nc=3, nc=[4, 6, 8, 8], nb=1, act_mode="R", downsample_mode="strideconv", upsample_mode="convtranspose", bias=False), 3, G_lossfn_type="ssim"))


def network(name, model, *shape, more=()):
    fill(model)
    fit(name, model, lambda step: model(array(step, *shape), *more).abs().mean(), torch.optim.Adam(model.parameters(), 1e-3), 2)


attempt("ffdnet", lambda: network("ffdnet", FFDNet(1, 1, 6, 3, "R"), 2, 1, 11, 12, more=(torch.full((2, 1, 1, 1), 0.1),)))
attempt("imdn", lambda: network("imdn", IMDN(3, 3, 8, 2, upscale=2, act_mode="L", upsample_mode="pixelshuffle"), 2, 3, 10, 10))
attempt("msr", lambda: network("msr", MSRResNet0(3, 3, 6, 2, 4, "R", "upconv"), 2, 3, 8, 8))
attempt("rrdb", lambda: network("rrdb", RRDBNet(3, 3, 6, 1, 4, 2), 2, 3, 8, 8))
attempt("unet", lambda: network("unet", UNetRes(1, 1, [4, 4, 6, 6], 1, "BR", "avgpool", "pixelshuffle"), 2, 1, 16, 16))
