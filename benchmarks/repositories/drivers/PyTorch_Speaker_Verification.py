import random
import torch
from hparam import hparam as hp
from speech_embedder_net import SpeechEmbedder, GE2ELoss, get_centroids, get_cossim
from utils import get_cossim_prior, get_centroids_prior, calc_loss
from probe import array, fill, keep, say


def main():
    device = torch.device("cpu")
    hp.data.nmels, hp.model.hidden, hp.model.num_layer, hp.model.proj = 10, 12, 2, 8
    hp.train.N, hp.train.M = 3, 4
    net = SpeechEmbedder().to(device)
    fill(net)
    ge2e = GE2ELoss(device)
    optimizer = torch.optim.SGD([{'params': net.parameters()}, {'params': ge2e.parameters()}], lr=0.01)
    random.seed(1)
    total = 0
    for step in range(4):
        frames = array(step, 3, 4, 9, 10).reshape(12, 9, 10)
        order = random.sample(range(12), 12)
        back = [order.index(k) for k in range(12)]
        optimizer.zero_grad()
        loss = ge2e(net(frames[order])[back].reshape(3, 4, -1))
        loss.backward()
        for part, norm in ((net, 3.0), (ge2e, 1.0)):
            torch.nn.utils.clip_grad_norm_(part.parameters(), norm)
        optimizer.step()
        total = total + loss
        say("loss %d" % step, loss, total / (step + 1))
    keep("ge2e", net)
    e = net(array(50, 6, 9, 10)).detach().view(2, 3, 8)
    say("prior", *get_cossim_prior(e, get_centroids_prior(e)).view(-1))
    say("now", *get_cossim(e, get_centroids(e)).view(-1))


main()
