"""Graph convolution and graph attention by index_add and scatter, without a graph library."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.parameter import Parameter


def add_self_loops(edge_index, num_nodes):
    loop = torch.arange(num_nodes, dtype=torch.long, device=edge_index.device)
    return torch.cat([edge_index, loop.unsqueeze(0).repeat(2, 1)], dim=1)


def gcn_norm(edge_index, num_nodes):
    row, col = edge_index
    deg = torch.zeros(num_nodes, device=edge_index.device)
    deg = deg.scatter_add_(0, col, torch.ones(col.size(0), device=edge_index.device))
    deg_inv_sqrt = deg.pow(-0.5)
    deg_inv_sqrt[deg_inv_sqrt == float("inf")] = 0
    return deg_inv_sqrt[row] * deg_inv_sqrt[col]


class GraphConvolution(nn.Module):
    def __init__(self, in_features, out_features, bias=True):
        super(GraphConvolution, self).__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(torch.FloatTensor(in_features, out_features))
        if bias:
            self.bias = Parameter(torch.FloatTensor(out_features))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        stdv = 1.0 / math.sqrt(self.weight.size(1))
        self.weight.data.uniform_(-stdv, stdv)
        if self.bias is not None:
            self.bias.data.uniform_(-stdv, stdv)

    def forward(self, x, edge_index, edge_weight):
        support = torch.mm(x, self.weight)
        row, col = edge_index
        messages = support[row] * edge_weight.view(-1, 1)
        output = torch.zeros_like(support)
        output.index_add_(0, col, messages)
        if self.bias is not None:
            return output + self.bias
        return output

    def __repr__(self):
        return self.__class__.__name__ + " (" + str(self.in_features) + " -> " + str(self.out_features) + ")"


class GATLayer(nn.Module):
    def __init__(self, in_channels, out_channels, heads=4, negative_slope=0.2):
        super().__init__()
        self.heads = heads
        self.out_channels = out_channels
        self.negative_slope = negative_slope
        self.lin = nn.Linear(in_channels, heads * out_channels, bias=False)
        self.att_src = nn.Parameter(torch.empty(1, heads, out_channels))
        self.att_dst = nn.Parameter(torch.empty(1, heads, out_channels))
        self.bias = nn.Parameter(torch.zeros(heads * out_channels))
        nn.init.xavier_uniform_(self.lin.weight)
        nn.init.xavier_uniform_(self.att_src)
        nn.init.xavier_uniform_(self.att_dst)

    def forward(self, x, edge_index):
        num_nodes = x.size(0)
        src, dst = edge_index[0], edge_index[1]
        h = self.lin(x).view(-1, self.heads, self.out_channels)
        alpha_src = (h * self.att_src).sum(dim=-1)
        alpha_dst = (h * self.att_dst).sum(dim=-1)
        alpha = F.leaky_relu(alpha_src[src] + alpha_dst[dst], self.negative_slope)
        # softmax over the edges that arrive at one node
        alpha = (alpha - alpha.max()).exp()
        index = dst.unsqueeze(-1).expand_as(alpha)
        denom = torch.zeros(num_nodes, self.heads, device=x.device).scatter_add(0, index, alpha)
        alpha = alpha / (denom[dst] + 1e-16)
        out = torch.zeros(num_nodes, self.heads, self.out_channels, device=x.device)
        out = out.index_add(0, dst, h[src] * alpha.unsqueeze(-1))
        return out.view(num_nodes, -1) + self.bias


class GNN(nn.Module):
    def __init__(self, nfeat, nhid, nclass, dropout):
        super().__init__()
        self.gat = GATLayer(nfeat, nhid // 4, heads=4)
        self.gc1 = GraphConvolution(nhid, nhid)
        self.gc2 = GraphConvolution(nhid, nclass)
        self.dropout = dropout

    def forward(self, x, edge_index, edge_weight):
        x = F.dropout(x, p=self.dropout, training=self.training)
        x = F.elu(self.gat(x, edge_index))
        x = F.dropout(x, self.dropout, training=self.training)
        x = F.relu(self.gc1(x, edge_index, edge_weight))
        x = self.gc2(x, edge_index, edge_weight)
        return F.log_softmax(x, dim=1)
