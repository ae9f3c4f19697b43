import tempfile
import torch
from probe import array, attempt, fill, keep, say, whole
from trainer import Trainer

config = dict(weight_decay=1e-4, lr_gen=1e-3, lr_dis=1e-3, init="kaiming", gan_w=1, fm_w=1, r_w=0.1, lr_policy="step", step_size=2, gamma=0.5, gen=dict(nf=4, n_res_blks=1, nf_mlp=8, latent_dim=4, n_mlp_blks=3, n_downs_content=2, n_downs_class=3), dis=dict(nf=4, n_res_blks=4, num_classes=5))


def data(seed):
    return (array(seed, 2, 3, 32, 32).tanh(), whole(seed, 5, 2)), (array(seed + 50, 2, 3, 32, 32).tanh(), whole(seed + 50, 5, 2))


def run():
    trainer = Trainer(config)
    fill(trainer.model.gen, 1)
    fill(trainer.model.dis, 2)
    trainer.model.gen_test.load_state_dict(trainer.model.gen.state_dict())
    for step in range(2):
        content, classes = data(step)
        say(f"accuracies {step}", trainer.dis_update(content, classes, config), trainer.gen_update(content, classes, config, False))
        for key in ("loss_gen_total", "loss_gen_recon_x", "loss_gen_recon_c", "loss_gen_recon_s", "loss_gen_adv", "loss_dis_total", "loss_dis_fake_adv", "loss_dis_real_adv", "loss_dis_reg"):
            say(f"{key} {step}", getattr(trainer, key).item())
        trainer.dis_scheduler.step()
        trainer.gen_scheduler.step()
        say(f"rate {step}", trainer.dis_opt.param_groups[0]["lr"])
    with torch.no_grad():
        for i, image in enumerate(trainer.test(*data(7), False)):
            say(f"image {i}", image.abs().mean().item())
        say("shots", trainer.model.translate_k_shot((data(8)[0][0][:1], data(8)[0][1][:1]), data(8)[1], 2).abs().mean().item())
        say("simple", trainer.model.translate_simple(data(9)[0][0][:1], trainer.model.compute_k_style(data(9)[1][0], 2)).abs().mean().item())
    folder = tempfile.mkdtemp()
    trainer.save(folder, 9, False)
    keep("model", trainer.model)
    again = Trainer(config)
    say("resumed", again.resume(folder, config, False), sum(p.sum().item() for p in again.model.gen.parameters()), again.gen_opt.param_groups[0]["lr"])


attempt("run", run)
