import torch
import torch.nn as nn
from model import VRNN
from probe import array, fill, keep, say

model = VRNN(9, 8, 4, 2)
fill(model)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(3):
    data = array(step, 4, 1, 7, 9).squeeze().transpose(0, 1)
    data = (data - data.min()) / (data.max() - data.min())
    optimizer.zero_grad()
    kld_loss, nll_loss, (means, stds), (dec_means, dec_stds) = model(data)
    loss = kld_loss + nll_loss
    loss.backward()
    optimizer.step()
    nn.utils.clip_grad_norm_(model.parameters(), 10)
    say("step %d" % step, kld_loss.item(), nll_loss.item(), means[-1].abs().sum().item(), dec_stds[0].sum().item())
with torch.no_grad():
    say("sample", model.sample(torch.tensor(5)).abs().sum().item())
keep("vrnn", model)
