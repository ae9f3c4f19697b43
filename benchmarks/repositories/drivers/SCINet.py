import torch
from models.SCINet import SCINet
from probe import array, fill, fit, quiet


def run(name, **more):
    model = SCINet(output_len=8, input_len=16, input_dim=4, hid_size=2, num_levels=2, groups=1, kernel=3, dropout=0.0, **more)
    fill(model)
    quiet(model)
    stacks = more.get("num_stacks", 1)

    def loss_of(step):
        x, y = array(step, 3, 16, 4), array(step + 9, 3, 8, 4)
        if stacks == 2:
            res, mid = model(x)
            return torch.nn.functional.l1_loss(res, y) + torch.nn.functional.l1_loss(mid, y)
        return torch.nn.functional.l1_loss(model(x), y)
    fit(name, model, loss_of, torch.optim.Adam(model.parameters(), lr=1e-3), 4)
    model.eval()


run("plain", num_stacks=1, concat_len=0, positionalE=False, modified=True, RIN=False)
run("rin", num_stacks=1, concat_len=0, positionalE=True, modified=True, RIN=True)
run("two", num_stacks=2, concat_len=8, positionalE=True, modified=True, RIN=False)
run("dec", num_stacks=1, concat_len=0, positionalE=False, modified=False, RIN=False, num_decoder_layer=2)
