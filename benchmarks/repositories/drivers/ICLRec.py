import torch
from types import SimpleNamespace
import models
import trainers
from probe import array, fill, keep, say, whole


class Clusters:
    def __init__(self, num_cluster, seed, hidden_size, gpu_id=0, device="cpu"):
        self.centroids = torch.nn.functional.normalize(array(9, num_cluster, hidden_size), dim=1)

    def train(self, x):
        say("clusters", x.sum())

    def query(self, x):
        ids = whole(1, 4, len(x))
        return ids, self.centroids[ids]


def main():
    trainers.KMeans = Clusters
    args = SimpleNamespace(item_size=40, hidden_size=16, max_seq_length=8, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0, initializer_range=0.02, cuda_condition=False, num_hidden_layers=2,
                           num_attention_heads=2, hidden_act="gelu", no_cuda=True, num_intent_clusters="4", seq_representation_type="mean", seq_representation_instancecl_type="concat", seed=1, gpu_id=0, n_views=2,
                           adam_beta1=0.9, adam_beta2=0.999, lr=0.001, weight_decay=0.0, temperature=1.0, contrast_type="Hybrid", warm_up_epoches=1, cf_weight=0.1, rec_weight=1.0, intent_cf_weight=0.1, de_noise=True,
                           log_freq=1, log_file="log.txt")
    model = models.SASRecModel(args=args)
    fill(model)

    def batch(i):
        return [[whole(i, 40, 6), whole(i + 1, 40, 6, 8), whole(i + 2, 39, 6, 8) + 1, whole(i + 3, 39, 6, 8) + 1, whole(i + 4, 40, 6, 1)],
                [[whole(i + 5, 40, 6, 8), whole(i + 6, 40, 6, 8)]], whole(i + 7, 3, 6)]
    loader = [batch(0), batch(20)]
    trainer = trainers.ICLRecTrainer(model, loader, loader, None, None, args)
    for epoch in range(3):
        trainer.train(epoch)
    keep("iclrec", model)
    say("predict", trainer.predict_full(model(loader[0][0][1])[:, -1, :]).sum())


main()
