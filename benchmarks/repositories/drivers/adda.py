import torch
import params
from core import eval_src, eval_tgt, train_src, train_tgt
from models import Discriminator, LeNetClassifier, LeNetEncoder
from utils import init_model
from torch.utils.data import DataLoader, TensorDataset
from probe import array, fill, keep, quiet, say, whole

params.num_epochs_pre, params.log_step_pre, params.eval_step_pre, params.save_step_pre = 2, 1, 2, 2
params.num_epochs, params.log_step, params.save_step = 2, 1, 2
source = DataLoader(TensorDataset(array(0, 12, 1, 28, 28), whole(0, 10, 12)), batch_size=4)
target = DataLoader(TensorDataset(array(1, 12, 1, 28, 28), whole(1, 10, 12, 1)), batch_size=4)
encoder = init_model(LeNetEncoder(), restore=params.src_encoder_restore)
classifier = init_model(LeNetClassifier(), restore=None)
tgt_encoder = init_model(LeNetEncoder(), restore=None)
critic = init_model(Discriminator(input_dims=500, hidden_dims=500, output_dims=2), restore=None)
fill(encoder)
fill(classifier, 1)
fill(critic, 2)
quiet(encoder)
classifier.training = False
encoder, classifier = train_src(encoder, classifier, source)
keep("encoder", encoder)
keep("classifier", classifier)
eval_src(encoder, classifier, source)
if not tgt_encoder.restored:
    tgt_encoder.load_state_dict(encoder.state_dict())
quiet(tgt_encoder)
tgt_encoder = train_tgt(encoder, tgt_encoder, critic, source, target)
eval_tgt(tgt_encoder, classifier, target)
keep("target", tgt_encoder)
keep("critic", critic)
say("sum", *[p.abs().sum().item() for p in critic.parameters()])
