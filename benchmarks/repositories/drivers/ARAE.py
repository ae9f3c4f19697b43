import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.autograd import Variable
import models
from probe import array, fill, keep, say, whole

autoencoder = models.Seq2Seq(emsize=8, nhidden=12, ntokens=20, nlayers=1, noise_r=0.2, hidden_init=True, gpu=False)
gen = models.MLP_G(ninput=6, noutput=12, layers="10-10", gpu=False)
disc = models.MLP_D(ninput=12, noutput=1, layers="10-8", gpu=False)
for i, net in enumerate([autoencoder, gen, disc]):
    fill(net, i)
optimizer_ae = optim.SGD(autoencoder.parameters(), lr=1)
optimizer_g = optim.Adam(gen.parameters(), lr=5e-4, betas=(0.5, 0.999))
optimizer_d = optim.Adam(disc.parameters(), lr=1e-3, betas=(0.5, 0.999))
one = torch.tensor(1.0)
mone = one * -1


def grad_hook(grad):
    return grad * 0.5


def penalty(real, fake):
    alpha = torch.linspace(0.1, 0.9, real.size(0)).view(-1, 1).expand(real.size(0), real.size(1))
    between = Variable(alpha * real + (1 - alpha) * fake, requires_grad=True)
    scores = disc(between)
    gradients = torch.autograd.grad(outputs=scores, inputs=between, grad_outputs=torch.ones(scores.size()), create_graph=True, retain_graph=True, only_inputs=True)[0]
    gradients = gradients.view(gradients.size(0), -1)
    return ((gradients.norm(2, dim=1) - 1) ** 2).mean() * 10


for step in range(3):
    lengths = [7, 6, 6, 3]
    source, target = whole(step, 19, 4, 7) + 1, whole(step + 50, 19, 4, 7) + 1
    for row, length in enumerate(lengths):
        source[row, length:] = 0
        target[row, length:] = 0
    autoencoder.train()
    optimizer_ae.zero_grad()
    output = autoencoder(source, lengths, noise=False)
    mask = target.view(-1).gt(0)
    words = target.view(-1).masked_select(mask)
    kept = output.view(-1, 20).masked_select(mask.unsqueeze(1).expand(mask.size(0), 20)).view(-1, 20)
    loss = F.cross_entropy(kept, words)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(autoencoder.parameters(), 1)
    optimizer_ae.step()
    say("ae %d" % step, loss.item(), autoencoder.grad_norm.item())
    disc.train()
    optimizer_d.zero_grad()
    real = autoencoder(source, lengths, noise=False, encode_only=True)
    err_real = disc(real.detach())
    err_real.backward(one)
    fake = gen(array(step, 4, 6))
    err_fake = disc(fake.detach())
    err_fake.backward(mone)
    gp = penalty(real.data, fake.data)
    gp.backward()
    optimizer_d.step()
    say("d %d" % step, err_real.item(), err_fake.item(), gp.item())
    optimizer_ae.zero_grad()
    real = autoencoder(source, lengths, noise=False, encode_only=True)
    real.register_hook(grad_hook)
    err = disc(real)
    err.backward(mone)
    torch.nn.utils.clip_grad_norm_(autoencoder.parameters(), 1)
    optimizer_ae.step()
    gen.train()
    optimizer_g.zero_grad()
    err_g = disc(gen(array(step + 9, 4, 6)))
    err_g.backward(one)
    optimizer_g.step()
    autoencoder.noise_anneal(0.99)
    say("g %d" % step, err.item(), err_g.item(), autoencoder.noise_r)
keep("ae", autoencoder)
keep("gen", gen)
keep("disc", disc)
autoencoder.eval()
said = autoencoder.generate(array(3, 10, 12), 5, sample=False)
say("said", *said.view(-1).tolist())
