import torch
import torch.nn as nn
import net
from function import adaptive_instance_normalization, coral
from sampler import InfiniteSamplerWrapper
from torch.utils.data import DataLoader, TensorDataset

from probe import array, fill, fit, say


def main():
    fill(net.vgg, 1)
    encoder = nn.Sequential(*list(net.vgg.children())[:31])
    network = net.Net(encoder, net.decoder)
    fill(network.decoder, 2)
    optimizer = torch.optim.Adam(network.decoder.parameters(), lr=1e-3)

    def loss_of(step):
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 / (1 + 0.1 * step)
        content, style = network(array(step, 2, 3, 32, 32), array(step + 7, 2, 3, 32, 32))
        say(f"parts {step}", content.item(), style.item())
        return content + 10.0 * style

    fit("adain", network, loss_of, optimizer, 3)
    network.eval()
    with torch.no_grad():
        features = [network.encode(array(i, 1, 3, 32, 32)) for i in (20, 21)]
        mixed = adaptive_instance_normalization(*features) * 0.7 + features[0] * 0.3
        say("transferred", network.decoder(mixed).mean(), network.decoder(mixed).std())
        say("coral", *coral(array(3, 3, 9, 9), array(4, 3, 9, 9) * 2 + 1).flatten()[:6])
    pictures = TensorDataset(torch.arange(3).float())
    endless = iter(DataLoader(pictures, batch_size=2, sampler=InfiniteSamplerWrapper(pictures)))
    say("endless", *[len(next(endless)[0]) for _ in range(4)])


main()
