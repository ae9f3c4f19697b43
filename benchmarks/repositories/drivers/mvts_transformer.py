import numpy as np
import torch
from models.ts_transformer import TSTransformerEncoder, TSTransformerEncoderClassiregressor
from models.loss import get_loss_module, l2_reg_loss
from datasets.dataset import noise_mask, collate_superv, collate_unsuperv
from optimizers import get_optimizer
from probe import array, fill, fit, keep, say, whole


def impute(norm, opt, pos):
    model = TSTransformerEncoder(feat_dim=4, max_len=10, d_model=16, n_heads=2, num_layers=2, dim_feedforward=16, dropout=0.0, pos_encoding=pos, activation='gelu', norm=norm)
    fill(model)
    optimizer = get_optimizer(opt)(model.parameters(), lr=1e-3, weight_decay=0)
    loss_module = get_loss_module({'task': 'imputation'})
    for i in range(3):
        np.random.seed(i)
        data = []
        for k in range(3):
            x = np.random.randn(7 + k, 4)
            data.append((torch.from_numpy(x), torch.from_numpy(noise_mask(x, 0.3)), k))
        x, truth, hidden, there, _ = collate_unsuperv(data, max_len=10)
        losses = loss_module(model(x, there), truth, hidden * there.unsqueeze(-1))
        loss = torch.sum(losses) / len(losses) + 0.01 * l2_reg_loss(model)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=4.0)
        optimizer.step()
        say("%s %s %d" % (norm, opt, i), loss.item())
    keep(norm + opt, model)


def classify():
    model = TSTransformerEncoderClassiregressor(4, 10, 16, 2, 2, 16, num_classes=3, dropout=0.0, pos_encoding='fixed', activation='relu', norm='LayerNorm')
    fill(model)
    loss_module = get_loss_module({'task': 'classification'})
    optimizer = get_optimizer('Adam')(model.parameters(), lr=1e-3)

    def loss_of(step):
        data = [(array(step + k, 7 + k, 4), whole(step, 3, 1), k) for k in range(3)]
        x, truth, there, _ = collate_superv(data, max_len=10)
        return loss_module(model(x, there), truth).mean()
    fit("classify", model, loss_of, optimizer, 3)


if __name__ == '__main__':
    impute('BatchNorm', 'RAdam', 'learnable')
    impute('LayerNorm', 'Adam', 'fixed')
    classify()
