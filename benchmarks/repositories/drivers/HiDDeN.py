import os
import numpy as np
import torch
import train as module
import utils
from model.hidden import Hidden
from noise_layers.crop import Crop
from noise_layers.cropout import Cropout
from noise_layers.dropout import Dropout
from noise_layers.jpeg_compression import JpegCompression
from noise_layers.noiser import Noiser
from noise_layers.resize import Resize
from options import HiDDenConfiguration, TrainingOptions
from tensorboard_logger import TensorBoardLogger
from probe import Board, attempt, fill, keep, say


class Writer(Board):
    def add_scalar(self, key, value, global_step):
        say(f"{key} {global_step}", value)

    def add_histogram(self, key, values, global_step):
        say(f"{key} {global_step}", values.mean().item())


class Pictures:
    def __init__(self, count, seed):
        self.count, self.seed = count, seed

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        return torch.from_numpy(np.random.RandomState(i + self.seed).uniform(-1, 1, size=(3, 16, 16)).astype("float32")), 0


def loaders(config, options):
    return (torch.utils.data.DataLoader(Pictures(n, s), batch_size=options.batch_size, shuffle=False) for n, s in ((6, 0), (3, 90)))


def saved(original, marked, epoch, folder, resize_to=None):
    say(f"{folder} pictures {epoch}", original.mean().item(), marked.mean().item())


def written(file_name, losses, epoch, duration):
    say(f"{file_name} {epoch}", *[loss.avg for loss in losses.values()])


def run(name, noise, board=False):
    np.random.seed(5)
    os.makedirs(f"made/{name}/checkpoints", exist_ok=True)
    utils.get_data_loaders, utils.save_images, utils.write_losses = loaders, saved, written
    config = HiDDenConfiguration(H=16, W=16, message_length=5, encoder_blocks=2, encoder_channels=6, decoder_blocks=2, decoder_channels=6, use_discriminator=True, use_vgg=False, discriminator_blocks=2, discriminator_channels=6, decoder_loss=1, encoder_loss=0.7, adversarial_loss=1e-3)
    options = TrainingOptions(batch_size=3, number_of_epochs=2, train_folder="", validation_folder="", runs_folder="", start_epoch=1, experiment_name=name)
    device = torch.device("cpu")
    logger = TensorBoardLogger("made") if board else None
    if board:
        logger.writer = Writer()
    model = Hidden(config, device, Noiser(noise, device), logger)
    fill(model.encoder_decoder, 1)
    fill(model.discriminator, 2)
    module.train(model, device, config, options, f"made/{name}", logger)
    keep(f"{name} net", model.encoder_decoder)
    keep(f"{name} critic", model.discriminator)
    checkpoint, found = utils.load_last_checkpoint(f"made/{name}/checkpoints")
    other = Hidden(config, device, Noiser([], device), None)
    utils.model_from_checkpoint(other, checkpoint)
    losses, _ = other.train_on_batch([torch.stack([Pictures(9, 0)[i][0] for i in range(3)]), torch.ones(3, 5)])
    say(f"{name} resumed", *losses.values())


attempt("crops", lambda: run("crops", [Crop((0.5, 0.8), (0.5, 0.8)), Cropout((0.5, 0.8), (0.5, 0.8))], True))
attempt("pixels", lambda: run("pixels", [Dropout((0.3, 0.7)), Resize((0.5, 0.9)), "QuantizationPlaceholder"]))
def compressed():
    with torch.no_grad():
        found = JpegCompression(torch.device("cpu"))([torch.stack([Pictures(9, 0)[i][0] for i in range(2)]), None])[0]
        say("compressed", *found.shape, found.mean().item(), *found[1, :, 3, 5].tolist())


attempt("jpeg", compressed)
