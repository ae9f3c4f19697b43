import numpy as np
import torch
from types import SimpleNamespace
from models import FEDformer, Autoformer, Informer, Transformer
from utils.tools import adjust_learning_rate
from probe import array, attempt, fill, fit, say


def run(name, module, **more):
    configs = SimpleNamespace(ab=0, modes=4, mode_select='low', version='Fourier', moving_avg=[5], L=1, base='legendre', cross_activation='tanh', seq_len=16, label_len=8, pred_len=8, output_attention=False,
                              enc_in=3, dec_in=3, d_model=16, embed='timeF', dropout=0.0, freq='h', factor=1, n_heads=8, d_ff=16, e_layers=2, d_layers=1, c_out=3, activation='gelu', wavelet=0, distil=True,
                              learning_rate=1e-3, lradj='type1')
    for k, v in more.items():
        setattr(configs, k, v)
    np.random.seed(0)
    model = module.Model(configs).float()
    fill(model)
    optim = torch.optim.Adam(model.parameters(), lr=1e-3)

    def loss_of(step):
        past, future = array(step, 2, 16, 3), array(step + 5, 2, 16, 3)
        marks = array(step + 6, 2, 16, 4), array(step + 7, 2, 16, 4)
        known = future.clone()
        known[:, -8:] = 0
        return torch.nn.MSELoss()(model(past, marks[0], known, marks[1])[:, -8:, :], future[:, -8:, :])
    fit(name, model, loss_of, optim, 3)
    adjust_learning_rate(optim, 2, configs)
    model.eval()
    with torch.no_grad():
        say(name + " eval", loss_of(9).item(), optim.param_groups[0]['lr'])


for name, module, more in [("trans", Transformer, dict(moving_avg=5)), ("informer", Informer, dict(moving_avg=5)), ("auto", Autoformer, dict(moving_avg=5)), ("fed", FEDformer, {}),
                           ("wave", FEDformer, dict(version='Wavelets'))]:
    attempt(name, lambda: run(name, module, **more))
