import os
import random
import tempfile
from types import SimpleNamespace
import numpy as np
import torch
from torch.utils.data import DataLoader, SequentialSampler
from datasets import PretrainDataset, SASRecDataset
from models import S3RecModel
from probe import attempt, fill, keep, say
from trainers import FinetuneTrainer, PretrainTrainer
from utils import get_user_seqs, get_user_seqs_long

folder = tempfile.mkdtemp()
rng = np.random.RandomState(0)
data_file = os.path.join(folder, "data.txt")
with open(data_file, "w") as text:
    for user in range(12):
        text.write(" ".join(map(str, [user + 1, 24, *rng.randint(1, 24, rng.randint(6, 11))])) + "\n")
args = SimpleNamespace(hidden_size=8, item_size=26, attribute_size=5, max_seq_length=6, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, num_attention_heads=2, num_hidden_layers=2, hidden_act="gelu", initializer_range=0.02, mask_id=25, mask_p=0.3, cuda_condition=False, no_cuda=True, adam_beta1=0.9, adam_beta2=0.999, lr=0.01, weight_decay=0.0, aap_weight=0.2, mip_weight=1.0, map_weight=1.0, sp_weight=0.5, pre_batch_size=6, log_freq=1, log_file=os.path.join(folder, "log.txt"), model_name="s3", data_name="made", item2attribute={str(i): [i % 5, (i * 2) % 5] for i in range(25)})
model = S3RecModel(args)
fill(model)


def pretrain():
    random.seed(0)
    _, _, long_sequence = get_user_seqs_long(data_file)
    user_seq, _, _ = get_user_seqs_long(data_file)
    dataset = PretrainDataset(args, user_seq, long_sequence)
    loader = DataLoader(dataset, sampler=SequentialSampler(dataset), batch_size=args.pre_batch_size)
    trainer = PretrainTrainer(model, None, None, None, args)
    trainer.pretrain(0, loader)
    trainer.save(os.path.join(folder, "pre.pt"))
    keep("pretrained", model)


def finetune():
    random.seed(1)
    user_seq, max_item, valid_matrix, _ = get_user_seqs(data_file)
    args.train_matrix = valid_matrix
    args.item_size = max_item + 2
    fresh = S3RecModel(args)
    fill(fresh, 3)
    train, valid = SASRecDataset(args, user_seq, data_type="train"), SASRecDataset(args, user_seq, data_type="valid")
    loaders = [DataLoader(d, sampler=SequentialSampler(d), batch_size=5) for d in (train, valid)]
    trainer = FinetuneTrainer(fresh, loaders[0], loaders[1], None, args)
    trainer.load(os.path.join(folder, "pre.pt"))
    for epoch in range(2):
        trainer.train(epoch)
        if epoch == 1:
            scores, text = trainer.valid(epoch, full_sort=True)
            say("scores", max_item, *scores)
    fresh.eval()
    with torch.no_grad():
        out = fresh.finetune(torch.tensor(train[0][1]).unsqueeze(0))
        say("out", out.abs().sum().item(), trainer.predict_full(out[:, -1]).sum().item())
    keep("finetuned", fresh)


attempt("pretrain", pretrain)
attempt("finetune", finetune)
with open(args.log_file) as text:
    for i, line in enumerate(text):
        print("##\tlog %d\t%s" % (i, line.strip().replace("'", "").replace(",", "").replace("{", "").replace("}", "")))
