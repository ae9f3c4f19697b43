import torch
import train
import util
from models import RealNVP, RealNVPLoss
from probe import array, attempt, fill, keep, say


class Images(torch.utils.data.Dataset):
    def __init__(self, seed):
        self.x = array(seed, 8, 3, 32, 32).sigmoid()

    def __len__(self):
        return 8

    def __getitem__(self, i):
        return self.x[i], 0


def run():
    net = RealNVP(num_scales=2, in_channels=3, mid_channels=4, num_blocks=1)
    fill(net)
    groups = util.get_param_groups(net, 5e-5, norm_suffix="weight_g", verbose=True)
    optimizer = torch.optim.Adam(groups, lr=1e-3)
    loss_fn = RealNVPLoss()
    train.best_loss = 1e9
    loader = torch.utils.data.DataLoader(Images(0), batch_size=4, shuffle=False)
    for epoch in range(2):
        train.train(epoch, net, loader, "cpu", optimizer, loss_fn, 100.0)
        train.test(epoch, net, loader, "cpu", loss_fn, 4)
        say(f"best {epoch}", train.best_loss)
    z, sldj = net(Images(5).x[:2], reverse=False)
    say("loss", loss_fn(z, sldj).item(), *sldj.detach())
    again = RealNVP(num_scales=2, in_channels=3, mid_channels=4, num_blocks=1)
    again.load_state_dict(torch.load("ckpts/best.pth.tar")["net"])
    say("again", *again.eval()(Images(5).x[:2])[1].detach())
    x, _ = net(z.detach(), reverse=True)
    say("back", x.abs().mean().item())
    say("bits", util.bits_per_dim(x, 1234.5))
    keep("net", net)


attempt("flow", run)
