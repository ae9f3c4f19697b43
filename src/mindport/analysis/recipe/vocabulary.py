"""The words of training recipes, as data: which APIs, settings and names show a trick.

`apis` are canonical names (a trailing dot means everything below); `settings` and `names` are patterns over names in
the form of `settings.normal`, and over names of the project's own classes and functions. A pattern must be specific: what it finds is
shown to a person as a fact about the project.
"""

from __future__ import annotations

from dataclasses import dataclass

from mindport.analysis import torch_names

OPTIMIZERS = ("torch.optim.", "timm.optim.", "transformers.optimization.AdamW", "transformers.AdamW", "apex.optimizers.", "bitsandbytes.optim.", "deepspeed.ops.adam.", "lion_pytorch.", "torch_optimizer.", "dadaptation.", "prodigyopt.")
#: What a configuration says of an optimizer, and names of optimizers that no call names: those of the Trainer, of timm, of mmcv.
OPTIMIZER_ENTRIES = r"lr|learning_rate|weight_decay|momentum|nesterov|betas|(adam_)?beta_?[12]|(adam_)?eps(ilon)?|amsgrad|alpha|dampening|rho|centered|initial_accumulator_value|fused"
NAMED_ELSEWHERE = frozenset(("lamb", "lars", "lion", "adamp", "sgdp", "adabelief", "novograd", "lookahead", "adamwtorch", "adamwhf", "adafactor", "momentum", "cosineannealing", "multistep", "step", "poly", "cosine", "cosinerestart", "exp", "linear", "constant", "onecycle", "plateau"))
#: Arguments of torch's optimizers that calls may give by their place.
POSITIONAL = {**dict.fromkeys(("Adam", "AdamW", "Adamax", "NAdam", "RAdam"), ("params", "lr", "betas", "eps", "weight_decay")), "SGD": ("params", "lr", "momentum", "dampening", "weight_decay", "nesterov"), "RMSprop": ("params", "lr", "alpha", "eps", "weight_decay", "momentum", "centered")}
#: Schedules that rise first by themselves: the keyword that says for how long, and its default.
RISING = {"OneCycleLR": ("pct_start", "0.3")}
SCHEDULERS = ("torch.optim.lr_scheduler.", "timm.scheduler.", "transformers.get_", "transformers.optimization.get_", "diffusers.optimization.get_scheduler", *(f"ignite.{place}handlers.{name}" for place in ("", "contrib.") for name in ("PiecewiseLinear", "CosineAnnealingScheduler", "LinearCyclicalScheduler", "LRScheduler", "create_lr_scheduler_with_warmup", "param_scheduler.")))
INITIALISERS = ("torch.nn.init.", "timm.models.layers.trunc_normal_", "timm.layers.trunc_normal_", "timm.models.vision_transformer.trunc_normal_", "timm.models.layers.weight_init.", "timm.layers.weight_init.", "timm.layers.lecun_normal_", "timm.layers.variance_scaling_")
#: Those that a name or a default holds: ``init=nn.init.kaiming_normal``; no module, and no function beside them.
HELD_INITIALISERS = r"_$|\binit\.(kaiming|xavier|normal|uniform|orthogonal|constant|sparse|dirac)(_normal|_uniform)?$"
NO_INITIALISERS = ("calculate_gain",)
PARAMETERS = ("torch.nn.Parameter", "torch.nn.parameter.Parameter")
#: What a parameter's first values are made by where it is constructed.
DRAWS = r"(randn|rand|normal|uniform|zeros|ones|full|empty)(_like)?"
LOADERS = ("torch.utils.data.DataLoader", "torch_geometric.loader.", "torch_geometric.data.DataLoader", "torch_geometric.data.DataListLoader", "torch_geometric.data.DenseDataLoader", "dgl.dataloading.", "monai.data.DataLoader", "torch.utils.data.dataloader.DataLoader")
#: What trains by itself, shuffling and with a linear schedule where nothing else is asked for; what names its schedule.
TRAINERS, TRAINERS_ARGUMENTS, TRAINERS_SCHEDULE = torch_names.TRAINERS, ("transformers.TrainingArguments", "transformers.Seq2SeqTrainingArguments"), "lr_scheduler_type"
#: Data sets' own shuffling, and NumPy's order of samples: the beginning of what made the receiver; the functions.
SHUFFLED_SETS, ORDERS = ("datasets.", "tensorflow.data.", "tensorflow_datasets.", "webdataset."), ("numpy.random.permutation", "numpy.random.shuffle", "random.shuffle", "torch.randperm")
#: What a replay buffer draws its samples with.
DRAWN_SAMPLES = ("random.sample", "random.choice", "random.choices", "numpy.random.choice", "numpy.random.randint", "torch.randint", "torch.randperm")
#: What else draws the number of one sample.
DRAWN_NUMBERS = ("random.randint", "random.randrange", "torch.multinomial", "numpy.random.random_integers")
#: Data sets that draw their own order, and constructors of networks that can start from trained weights: how that is asked for.
ITERABLE = "torch.utils.data.IterableDataset"
ZOOS, ASKED_FOR = ("torchvision.models.", "timm.create_model", "timm.models.", "pretrainedmodels.", "torch.hub.load", "segmentation_models_pytorch."), ("pretrained", "weights", "encoder_weights", "weights_backbone")
#: What loads trained weights as a network's first values, and classes that are no network.
PRETRAINED, NO_NETWORK = ".from_pretrained", ("Tokenizer", "TokenizerFast", "Processor", "FeatureExtractor", "Config", "Scheduler")
AUGMENTATIONS = ("torchvision.transforms.", "albumentations.", "kornia.augmentation.", "imgaug.", "timm.data.create_transform", "timm.data.mixup.", "timm.data.Mixup", "torchaudio.transforms.", "audiomentations.", "monai.transforms.", "torch_geometric.transforms.", "torch_geometric.utils.dropout_", "torch_geometric.utils.dropout.dropout_", "dgl.transforms.Drop", "dgl.DropEdge")
#: Transforms that change nothing at random: they prepare, and are no augmentation.
PREPARATIONS = frozenset(("Compose", "ToTensor", "Normalize", "Resize", "CenterCrop", "ToPILImage", "PILToTensor", "ConvertImageDtype", "ToDtype", "ToImage", "Lambda", "InterpolationMode", "Grayscale", "Pad", "functional", "ToTensorV2", "MelSpectrogram", "MFCC", "Spectrogram", "Resample", "AmplitudeToDB", "PadIfNeeded", "LongestMaxSize", "SmallestMaxSize", "Scale", "to_tensor", "normalize", "resize", "NormalizeFeatures", "LoadImaged", "EnsureChannelFirstd", "AsDiscrete"))
#: Random augmentation that projects write themselves.
AUGMENTATION_NAMES = r"(?!.*(augmented_|noise_augment|(_|^)loss(es)?(_|$)|criterion)).*(mosaic|mix_?up|cut_?mix|cut_?out|(random|multi_?scale)_(crop|flip|resize|rotat|eras|affine|perspective|horizontal|vertical|hsv|scale|brightness|contrast|gray)|augment|color_?jitter|spec_?aug|auto_?aug|rand_?aug|copy_?paste|random_resized_crop|gaussian_?blur|solari[sz]|posteri[sz]e|h?flip_prob|mirror|speed_perturb|noise_prob|photometric|random_?erase|re_?prob$|append_flipped|use_flip|scale_jitter|^lighting$|random_?shift|(random_)?drop_?(edge|node)s?(_(rate|ratio|p|prob|probability))?$|(random|rotate|jitter|shift|scale|translate|perturb)\w*_point_?(cloud|dropout)|random_point).*|(?!no_aug)(.*_)?aug(_.*)?"
#: Further settings of it: a function so called may flip always, and a setting says how often.
AUGMENTATION_SETTINGS = AUGMENTATION_NAMES + r"|(random_|rand_|h|v|lr_?|ud_?|horizontal_|vertical_)?flip(_?(lr|ud|prob|ratio|p))?|(not?_)?rand(om)?_crop|add_noise"
#: The same by the names of classes that a configuration gives.
COMPONENT_AUGMENTATIONS = r"rand(om)?_(?!sampl|split|subset|init).+|(.*_)?(horizontal|vertical|lr|ud|h|v)_?flip|affine|color_?jitter|hue_saturation\w*|photo_?metric\w*|(gaussian_|motion_|median_)?blur|cut_?out|cut_?mix|mix_?up|mosaic|elastic\w*|perspective|jpeg_compression|(multi_?scale_?)?(rand_?aug|auto_?aug)\w*|minioroucrop|min_?io_?u_random_crop|yolox?_?hsv_?random_?aug"
#: What the code of an augmentation names: a draw, or another step that is one.
DRAWS_DATA = r"rand|prob|sampl|choice|uniform|normal|shuffle|beta|transform|flip|crop|mix|noise|jitter|augs\b|pipeline|sequential|compose|perm|rng|policy|mask|shift|stretch|rotat|scale"

EPOCHS = r"(?!max_train_samples$)(?:(num|number)_of_(train(ing)?_)?(epochs|iterations|iters|steps|updates)|(n_?|num_?|max_?|total_?)?(train|training|update|gradient|optim|optimi[sz]er)_(steps?|time_?steps|iters?|iterations?|frames|updates|samples)|(total_|train_|max_)?(kimg|mimg)|(total|max|train)_step|(n_?|num_?)?(epochs?|iters?)_decay|(n_?|num_?|max_?|total_?|train_?|training_?)*(epochs?|iters?|iterations?|steps)(_num|_count)?|total_epochs?|niters?|nepochs?|end_epochs?|(n|num)_(iters|steps)_per_epoch|n_?epochs?|max_?steps|train_steps|max_train_steps|num_train_epochs|(total|n|num)_(time_?steps|itrs?)|max_(timesteps|itrs?)|num_updates|n_?episodes|num_episodes|max_iters|(ppo|gail|update|inner|local|pre(_?train(ing)?)?|fine_?tun(e|ing)|k)_((max|num|n|total)_)?epochs?|(num|total)_(env_steps|frames)|train_num_steps|(train|training)_times|(generator|critic|discriminator)_iters|[a-z]+_total_(steps|iters|epochs|iterations)|local_(eps?|iters?|iterations?|steps?|updates))"
BATCH = r"(bpr|mini|micro)_?batch(_?size)?|(global_?|total_?|effective_?|train_?|training_?|per_device_train_?|per_gpu_train_?|micro_?|ims_per_)?batch(_?size)?(_train)?((_per)?_(gpu|device))?|bs|batchsize|samples_per_gpu|ims_per_batch|(?!.*(eval|val|test|infer|gen_|sampl|preproc|cache|decod|embed|label))[a-z]+_batch_size"
WARM_UP = r"(?!.*(temp(erature)?_|_temp|beta|kl_|noise|mask|gan_|disc_|quanti)).*(warm_?up|lr_ramp_?up).*"
SCHEDULE_NAMES = r".*(lr_?sched|lr_?schedul|learning_rate_sched|adjust_lr|adjust_learning_rate|cosine_?(lr|anneal|decay|sched)|warm_?cos|warm_?up_?lr|poly_?lr|poly_?learning|get_lr|update_lr|set_lr|noam|one_?cycle(?!_lr)).*"
SCHEDULE_SETTINGS = r"(lr_?|learning_rate_)?(sched|schedule|scheduler|lr_scheduler|lr_policy|lr_schedule|lr_scheduler_type|lr_decay(_style|_type|_epochs?|_rate|_iters|_steps?|_gamma|_factor)?|decay_lr|lr_steps?|milestones|lr_milestones|lr_gamma|min_lr(_ratio)?|lr_min|eta_min|lr_step_size|lr_drop|cosine|lr_decay_milestones|steps_gamma)"
LEARNING_RATE = r"(base_?|basic_?|init_?|initial_?|max_?|peak_?)?(lr|learning_rate)(_per_img|_init|_base|_backbone|_head|_encoder|_decoder|_g|_d|_gen|_disc|_actor|_critic|_policy|_value|_alpha|_0|_max|_mul)?|(b?lr|learning_rate)_?[0-9]?|(g|d|gen|disc|actor|critic|encoder|decoder|train|adam)_(lr|learning_rate)|alpha_lr|(?!half_|min_|final_|end_|stop_|use_|auto_|find_|log_|scale_|reset_|print_|show_)[a-z]+_(lr|learning_rate)_?[0-9]?|(lr|learning_rate)_(?!clip|decay|steps?\b|sched|polic|drop|gamma|min|factor|mult|warm|ratio|end|final|find|scal|patience|type|mode|update|milestone|lambda|config|range|power|freq|ramp|cut|anneal|epoch|iter|t_|per_|max|reduc|new|current|log|div|rule|ext|adj|noise|k_|cycle)[a-z]+(_[a-z]+)?"


#: Libraries whose objects drive a training, and what such objects are called.
DRIVERS, DRIVER_NAMES = ("lightning.", "pytorch_lightning.", "lightning_fabric.", "accelerate."), r"(self\.)?(fabric|accelerator)"


@dataclass(frozen=True)
class Trick:
    """A named practice and what shows it."""

    title: str
    zh: str
    apis: tuple[str, ...] = ()
    settings: str = ""
    names: str = ""
    #: (API, keyword): shown where the call gives the keyword, other than as 0, None or False.
    keywords: tuple[tuple[str, str], ...] = ()
    #: A pattern over variables that hold what a call made: ``g_ema = Generator(…)``.
    variables: str = ""
    #: Further values of its settings that mean it is off: one step is no accumulation.
    off: tuple[str, ...] = ()
    #: The place of the limit among the arguments of the project's own functions of such names: where every call gives None there, nothing is limited.
    limit: int | None = None
    #: A loss's own default of such a name counts: what a loss does by itself, training does.
    of_losses: bool = False
    #: What the type of a block must say for its settings to count: an early stop's patience, and no schedule's.
    components: str = ""
    #: Methods of what drives a training (Fabric, Accelerator, a module of Lightning) that show it.
    methods: tuple[str, ...] = ()
    #: Files, by their stem, whose names mean another thing: a codebook's averages are none of weights.
    elsewhere: str = r"(?!)"
    #: Functions outside of PyTorch and its libraries that show it.
    outside: tuple[str, ...] = ()
    #: Blocks that switch it on by an entry "enabled": DeepSpeed's ``"bf16": {"enabled": true}``.
    switches: str = ""
    #: Its settings are rates: where all are 0, the layers that are made with them do nothing.
    rate: bool = False
    #: A word that the project's code must hold for its settings to count: a ``tau`` alone is of many things.
    beside: str = ""
    #: What a setting's help text says of it, whatever the setting is called.
    told: str = ""
    #: Updates that do not follow every backward pass show it.
    updates: bool = False
    #: Attributes of parameters that are set to False.
    switched_off: tuple[str, ...] = ()


#: B7: how the network is built.
STRUCTURE = (
    Trick("decoupled head", "解耦头", names=r".*decoupled_?head.*"),
    Trick("anchor free", "无锚框", names=r".*(anchor_?free|fcos|center_?ness).*", settings=r"anchor_?free|center_?ness.*"),
    Trick("anchors", "锚框", names=r".*(anchor_?(generator|box|grid|base|target)|generate_anchor|make_anchor|enumerate\w*anchor).*", settings=r"anchors?(_sizes|_scales|_ratios|_wh)?|aspect_ratios"),
    Trick("SimOTA label assignment", "SimOTA 标签分配", names=r".*(sim_?ota|simota_matching|dynamic_k_matching).*"),
    Trick("feature pyramid", "特征金字塔", names=r"(.*_)?(pa|bi|yolo_?pa|ret(ina)?)?_?fpn(_.*)?|.*feature_?pyramid.*|yolopafpn", apis=("torchvision.ops.FeaturePyramidNetwork",)),
    Trick("spatial pyramid pooling", "空间金字塔池化", names=r"(.*_)?(spp|sppf|aspp|spp_?bottleneck|psp_?module|ppm)(_.*)?|.*pyramid_?pool.*"),
    Trick("squeeze and excitation", "SE 模块", names=r"(.*_)?(se_?(block|layer|module|basic_?block|bottleneck)|squeeze_?excite|squeeze_?(and_)?excitation|selayer)(_.*)?", settings=r"se_ratio|squeeze_ratio|has_se|use_se", apis=("torchvision.ops.SqueezeExcitation", "torchvision.ops.misc.SqueezeExcitation")),
    Trick("attention", "注意力", names=r".*(self_?attention|multi_?head(ed)?_?att|cross_?attention|causal_?self_?att|window_?attention|(self|cross|multi_?head)_?attn|attn_?(block|layer|module)|attention_?(block|layer|module|op)|(^|_)(attention|attn)$).*", apis=("torch.nn.MultiheadAttention", "torch.nn.functional.scaled_dot_product_attention", "torch.nn.Transformer")),
    Trick("deformable convolution", "可变形卷积", names=r".*(deform(able)?_?conv|dcn_?v?[23]).*", apis=("torchvision.ops.DeformConv2d", "torchvision.ops.deform_conv2d")),
    Trick("stochastic depth", "随机深度", rate=True, names=r"(.*_)?(drop_?path|drop_?connect|stochastic_?depth)(_.*)?", settings=r".*(drop_?path|drop_?connect|stochastic_depth)(_rate|_prob)?", apis=("torchvision.ops.StochasticDepth", "torchvision.ops.stochastic_depth", "timm.models.layers.DropPath", "timm.layers.DropPath")),
    Trick("spectral normalisation", "谱归一化", names=r"(.*_)?spectral_?norm(ed|_\w+)?|sn_?(conv|linear|embedding)\w*", apis=("torch.nn.utils.spectral_norm", "torch.nn.utils.parametrizations.spectral_norm")),
    Trick("weight normalisation", "权重归一化", apis=("torch.nn.utils.weight_norm", "torch.nn.utils.parametrizations.weight_norm")),
    Trick("group normalisation", "组归一化", apis=("torch.nn.GroupNorm", "torch.nn.functional.group_norm")),
    Trick("instance normalisation", "实例归一化", apis=("torch.nn.InstanceNorm", "torch.nn.functional.instance_norm")),
    Trick("RMS normalisation", "RMS 归一化", names=r".*rms_?norm.*", apis=("torch.nn.RMSNorm", "torch.nn.functional.rms_norm")),
    Trick("rotary position embedding", "旋转位置编码", names=r".*(rotary|\brope\b|apply_rope|precompute_freqs).*"),
    Trick("weight tying", "权重共享", settings=r"(share|tie)_.*(weights?|embeddings?)|tie_weights", names=r"tie_weights"),
    Trick("pixel shuffle", "像素重排", apis=("torch.nn.PixelShuffle", "torch.nn.functional.pixel_shuffle")),
    Trick("vector quantisation", "向量量化", names=r".*(vector_?quanti[sz](er|e|ation)|vq_?vae|codebook|(^|_)vq_?(embedding|layer|block|ema|module)).*"),
    Trick("noisy layers", "噪声层", names=r"noisy_?(linear|layer|dense|net)", settings=r"(use_?)?noisy(_(net(work)?|linear|layers?))?"),
    Trick("duelling heads", "Dueling 结构", names=r".*(duel+ing|duel_(net|dqn|q)).*", settings=r"(use_?)?duel+ing(_(net(work)?|dqn|heads?|q))?"),
    Trick("margin softmax", "间隔 softmax", names=r"(.*_)?(aam_?softmax|am_?softmax|arc_?(face|margin)\w*|cos_?face|sphere_?face|add_?margin\w*|angular_?margin\w*|angle_?(linear|loss))"),
    Trick("focal loss", "focal loss", names=r".*focal_?loss.*", apis=("torchvision.ops.sigmoid_focal_loss",), settings=r"focal_(gamma|alpha)|use_focal(_loss)?"),
    Trick("Gumbel softmax", "Gumbel softmax", apis=("torch.nn.functional.gumbel_softmax",)),
)

#: B8: how it is trained.
PROCESS = (
    Trick("exponential moving average of weights", "权重滑动平均", elsewhere=r"quanti|codebook|vq", variables=r"(.*_)?ema(_.*)?", names=r"(?!.*(embed|cluster|codebook|quanti[sz]e))(.*_)?(ema|model_?ema|ema_?model|averaged_?model|exponential_?moving_?average|(weights?|param(eter)?s?|model)_moving_?average|update_ema|ema_update|momentum_update(_.*)?)(_.*)?", settings=r"(momentum|ema)_(teacher|encoder|target)|(teacher|encoder|target)_(momentum|ema)(_decay)?|moco_m|(use_?)?ema(_decay|_rate|_momentum|_start|_model)?|model_ema(_decay)?", apis=("torch.optim.swa_utils.AveragedModel", "torch.optim.swa_utils.get_ema_", "ema_pytorch.", "timm.utils.ModelEma")),
    Trick("stochastic weight averaging", "SWA", names=r"(.*_)?swa(_.*)?", settings=r"swa(_.*)?", apis=("torch.optim.swa_utils.SWALR", "torch.optim.swa_utils.update_bn")),
    Trick("mixed precision", "混合精度", switches=r"(b?f(loat)?_?16|amp|mixed_precision)", apis=("torch.autocast", "torch.amp.", "torch.cuda.amp.", "apex.amp."), settings=r"(use_?)?(amp|fp16|bf16|mixed_precision|amp_training|half_precision|use_fp16)(_training|_level|_opt_level)?", keywords=(("lightning.Trainer", "precision"), ("pytorch_lightning.Trainer", "precision"), ("lightning.Fabric", "precision"), ("lightning_fabric.Fabric", "precision"), ("accelerate.Accelerator", "mixed_precision"), ("transformers.TrainingArguments", "fp16"), ("transformers.TrainingArguments", "bf16"))),
    Trick("gradient clipping", "梯度裁剪", limit=1, methods=("clip_gradients", "clip_grad_norm_", "clip_grad_value_"), apis=("torch.nn.utils.clip_grad",), names=r"(.*_)?(clip_grad(ient)?s?|grad(ient)?_clip(per|ping)?)(_.*)?", settings=r"(max_)?(clip_?)?grad(ient)?_?(clip|clipping|norm)(_(val|value|norm|algorithm))?|clip_?(grad|norm|value)(_norm|_value)?|max_grad_norm", keywords=(("pytorch_lightning.Trainer", "gradient_clip_val"), ("lightning.Trainer", "gradient_clip_val"))),
    Trick("gradient accumulation", "梯度累积", updates=True, told="accumulation", methods=("accumulate",), off=("1",), variables=r"(n_?|num_?)?(grad(ient)?s?_?)?accum(ul(ate|ation))?(_(rounds|steps|iters|batches))?", settings=r".*(grad(ient)?_?accum|accum(ulat(e|ion))?_?(steps?|iters?|counts?|grad|grad_batches|freq)|grad_acc(_steps?)?|iters_to_accumulate|(?<![a-z]_)update_freq(?!u)|accumulate_grad_batches|gradient_accumulate_every).*|(n|num)_(g|d|grad|gradient)_accumulations?", keywords=(("pytorch_lightning.Trainer", "accumulate_grad_batches"), ("lightning.Trainer", "accumulate_grad_batches"), ("transformers.TrainingArguments", "gradient_accumulation_steps"), ("accelerate.Accelerator", "gradient_accumulation_steps"))),
    Trick("gradient penalty", "梯度惩罚", of_losses=True, names=r".*(gradient_?penalty|grad_?penalty|compute_gp|r1_(reg|penalty|loss)|path_length_(reg|penalty)).*", settings=r"(lambda_?gp|gp_(weight|lambda)|(lambda_)?r1(_gamma|_weight|_reg)?|gradient_penalty(_weight)?|path_length_(weight|regularizer)|pl_weight|grad_penalty)"),
    Trick("critic steps per generator step", "每步生成器的判别器步数", off=("1",), settings=r"(n_?|num_?)(critic|dis|disc)(_(iters|steps|updates))?|(n_?|num_?)?(d|dis|disc|discriminator|critic)_(steps|iters|updates)(_per_(g|gen|iter|update))?"),
    Trick("weight clipping", "权重裁剪", settings=r"(weight_?)?clip+ing_(limit|value)|weight_?clip+ing_limit|clip_weights?", names=r".*clip_weights?.*"),
    Trick("label smoothing", "标签平滑", of_losses=True, names=r".*label_?smooth.*", settings=r"label_?smooth(ing)?(_.*)?|smoothing|lsm_weight", keywords=(("torch.nn.CrossEntropyLoss", "label_smoothing"), ("torch.nn.functional.cross_entropy", "label_smoothing"))),
    Trick("no augmentation at the end", "末期关闭增强", settings=r"(no_?aug|close_?(mosaic|aug)|stop_?aug)(_epochs?|_iters?)?", names=r".*(close_mosaic|no_aug|disable_aug).*"),
    Trick("masking of the input", "输入掩码", apis=("transformers.DataCollatorForLanguageModeling", "transformers.DataCollatorForWholeWordMask"), names=r"(random_)?mask(ed)?_?(tokens|items|words)|random_masking|random_word", settings=r"mlm_prob(ability)?|mask(ing|ed_lm)?_(p|prob|probability|ratio|rate)"),
    Trick("multi-scale training", "多尺度训练", settings=r"(multi_?scale|multiscale_range|random_size|scales?_train|train_scales)(_.*)?", names=r".*(random_resize(?!d_?crop)|multi_?scale_train).*"),
    Trick("freezing", "冻结", names=r"(.*_)?freez(e|ing)(_.*)?|(.*_)?frozen_?(batch_?norm|bn)(_?2d)?|frozen_stages|set_requires_grad|requires_grad_false", settings=r"freez(e|ing)(_.*)?|frozen_stages|train_backbone", switched_off=("requires_grad",)),
    Trick("distillation", "蒸馏", names=r".*(distill|teacher(_model|_net|_network)?$|kd_loss|knowledge_transfer).*", settings=r"(distill|kd|teacher)(ation|ing)?(_.*)?|\w+_distill(ation)?"),
    Trick("synchronised batch normalisation", "同步 BN", apis=("torch.nn.SyncBatchNorm", "apex.parallel.convert_syncbn_model", "apex.parallel.SyncBatchNorm"), names=r".*sync(hroni[sz]ed)?_?(bn|batch_?norm)(_?[123]d)?|batch_?norm(_?[123]d)?_?sync", settings=r"(use_)?sync(h|hroni[sz]ed)?_?(bn|batch_?norm)|(bn|batch_?norm)_sync", keywords=(("pytorch_lightning.Trainer", "sync_batchnorm"), ("lightning.Trainer", "sync_batchnorm"))),
    Trick("data-parallel training", "数据并行", apis=("torch.nn.DataParallel", "torch.distributed.init_process_group", "torch.nn.parallel.DistributedDataParallel", "torch.distributed.fsdp.", "deepspeed.initialize", "horovod.", "apex.parallel.DistributedDataParallel", "mmcv.parallel.MMDataParallel", "mmcv.parallel.MMDistributedDataParallel", "pytorch_lightning.plugins.DDPPlugin", "pytorch_lightning.strategies.", "lightning.pytorch.strategies.", "lightning.fabric.strategies.", "accelerate.Accelerator.prepare"), keywords=(("lightning.Fabric", "strategy"), ("pytorch_lightning.Trainer", "strategy"), ("lightning.Trainer", "strategy"))),
    Trick("early stopping", "提前停止", components=r"stop", names=r".*early_?stop.*", settings=r"early_?stop(ping)?(_.*)?|(es_)?patience(_period|_epochs|_steps)?"),
    Trick("activation checkpointing", "激活重计算", apis=("torch.utils.checkpoint.",), settings=r"(use_?)?(grad(ient)?|activation|act)_?checkpoint(ing)?|use_checkpoint", keywords=(("lightning.FSDPStrategy", "activation_checkpointing"),), names=r"gradient_checkpointing_enable"),
    Trick("graph compilation or export", "图编译与导出", apis=("torch.compile", "torch.jit.script", "torch.jit.trace")),
    Trick("exact reproducibility settings", "可复现设置", off=("-1",), methods=("seed_everything",), outside=("numpy.random.seed", "random.seed"), apis=("torch.use_deterministic_algorithms", "torch.manual_seed", "torch.cuda.manual_seed", "pytorch_lightning.seed_everything", "lightning.seed_everything", "transformers.set_seed", "accelerate.utils.set_seed"), settings=r"(random_?|manual_?|train_?)?seed|seed_everything(_default)?"),
    Trick("class weights", "类别权重", keywords=(("torch.nn.CrossEntropyLoss", "weight"), ("torch.nn.NLLLoss", "weight"), ("torch.nn.functional.cross_entropy", "weight"), ("torch.nn.functional.nll_loss", "weight"), ("torch.nn.BCEWithLogitsLoss", "pos_weight"), ("torch.nn.functional.binary_cross_entropy_with_logits", "pos_weight"))),
    Trick("hard negative mining", "难例挖掘", told="mining", names=r".*(hard_?neg|ohem|hard_?example).*", settings=r"neg_?pos(_ratio)?|neg_mining|ohem.*"),
    Trick("negative sampling", "负采样", names=r".*(neg(ative)?_?sampl|sampl(e|es|ing)_neg(ative)?s?(_|$)).*", settings=r"(train_)?(num_?|n_?)neg(ative)?s?(_?(samples?|items?|sampling))?|(train_)?neg(ative)?_?sampl(es?|ing)(_(size|num|ratio|code|k|n|ext|count|number))?|num_ng"),
    Trick("prioritised replay", "优先经验回放", names=r".*prioriti[sz]ed.*", settings=r"priority_(exponent|weight|alpha|beta)|per_(alpha|beta)|prioriti[sz]ed(_replay.*)?"),
    Trick("n-step returns", "多步回报", settings=r"multi_step|n_?step(s)?_(return|td|q)s?|nstep"),
    Trick("weights in few bits", "低比特权重", apis=("transformers.BitsAndBytesConfig", "transformers.utils.quantization_config.BitsAndBytesConfig", "bitsandbytes.nn."), settings=r"load_in_[48]_?bit|bnb_4_?bit_.*|quant_type|double_quant", keywords=((".from_pretrained", "load_in_4bit"), (".from_pretrained", "load_in_8bit"))),
    Trick("replay buffer", "经验回放", names=r".*replay_?(buffer|memory).*", settings=r"memory_size|replay_((buffer|memory)_)?(size|capacity)"),
    Trick("target network", "目标网络", beside=r"(?i).*target_?(net|q|critic|actor|model|policy|value|v)|.*(net(work)?|q|critic|actor|model|policy|value)\d?_?(target|tgt)|.*(soft|target)_?update.*|polyak\w*|update_target\w*", names=r".*(target_?net(work)?|soft_?update|polyak).*", settings=r"target_(network_)?(update(_\w+)?|freq(uency)?|interval)|polyak|tau"),
    Trick("teacher forcing", "教师强制", names=r".*teacher_?forc.*", settings=r"teacher_forcing(_ratio)?"),
    Trick("parameter-efficient fine-tuning", "参数高效微调", names=r".*\blora\b.*|lora(_.*)?", apis=("peft.", "loralib."), settings=r"lora(_.*)?"),
)
