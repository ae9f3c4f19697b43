"""Distributed training interfaces without a MindSpore counterpart."""

from mindport.declare import absent

absent(
    "torch.distributed.fsdp.BackwardPrefetch", "torch.distributed.fsdp.CPUOffload",
    "torch.distributed.fsdp.CPUOffloadPolicy", "torch.distributed.fsdp.DataParallelMeshDims",
    "torch.distributed.fsdp.FSDPModule", "torch.distributed.fsdp.FullOptimStateDictConfig",
    "torch.distributed.fsdp.FullStateDictConfig", "torch.distributed.fsdp.FullyShardedDataParallel",
    "torch.distributed.fsdp.LocalOptimStateDictConfig", "torch.distributed.fsdp.LocalStateDictConfig",
    "torch.distributed.fsdp.MixedPrecision", "torch.distributed.fsdp.MixedPrecisionPolicy",
    "torch.distributed.fsdp.OffloadPolicy", "torch.distributed.fsdp.OptimStateDictConfig",
    "torch.distributed.fsdp.OptimStateKeyType", "torch.distributed.fsdp.ShardedOptimStateDictConfig",
    "torch.distributed.fsdp.ShardedStateDictConfig", "torch.distributed.fsdp.ShardingStrategy",
    "torch.distributed.fsdp.StateDictConfig", "torch.distributed.fsdp.StateDictSettings",
    "torch.distributed.fsdp.StateDictType", "torch.distributed.fsdp.UnshardHandle", "torch.distributed.fsdp.fully_shard",
    "torch.distributed.fsdp.register_fsdp_forward_method", "torch.distributed.fsdp.share_comm_ctx",
    why="MindSpore shards parameters by its parallel modes: mindspore.set_auto_parallel_context(enable_parallel_optimizer=True) or AutoParallel splits optimizer states and weights; there is no wrapper with FSDP's interface",
    rung="packaged",
)
absent(
    "torch.distributed.rpc.AllGatherStates", "torch.distributed.rpc.BackendType", "torch.distributed.rpc.RRef",
    "torch.distributed.rpc.TensorPipeRpcBackendOptions", "torch.distributed.rpc.get_worker_info",
    "torch.distributed.rpc.init_rpc", "torch.distributed.rpc.is_available", "torch.distributed.rpc.method_factory",
    "torch.distributed.rpc.new_method", "torch.distributed.rpc.remote", "torch.distributed.rpc.rpc_async",
    "torch.distributed.rpc.rpc_sync", "torch.distributed.rpc.shutdown",
    why="MindSpore has no remote procedure calls between training processes; use collective communication (mindspore.communication) or another library for the messages",
    rung="community",
)
