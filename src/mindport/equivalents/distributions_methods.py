"""The methods of distributions, which have torch's names here: a call stays as it is written."""

from mindport.declare import attribute, equivalent


@equivalent(
    "torch.distributions.Distribution.sample", "torch.distributions.Independent.sample", "torch.distributions.Normal.sample",
    "torch.distributions.Bernoulli.sample", "torch.distributions.Geometric.sample", "torch.distributions.Categorical.sample",
    "torch.distributions.OneHotCategorical.sample", "torch.distributions.Poisson.sample",
    "torch.distributions.Binomial.sample", "torch.distributions.MixtureSameFamily.sample",
)
def sample(self, sample_shape=()):
    """Samples without a gradient, of shape ``sample_shape + batch_shape + event_shape``."""
    return self.sample(sample_shape)


@equivalent(
    "torch.distributions.Distribution.rsample", "torch.distributions.Independent.rsample",
    "torch.distributions.Normal.rsample", "torch.distributions.Laplace.rsample", "torch.distributions.Cauchy.rsample",
    "torch.distributions.Uniform.rsample", "torch.distributions.Exponential.rsample", "torch.distributions.Gamma.rsample",
    "torch.distributions.Beta.rsample", "torch.distributions.Dirichlet.rsample", "torch.distributions.StudentT.rsample",
    "torch.distributions.OneHotCategoricalStraightThrough.rsample", "torch.distributions.MultivariateNormal.rsample",
)
def rsample(self, sample_shape=()):
    """Samples that are differentiable in the parameters; Refused where there are none."""
    return self.rsample(sample_shape)


@equivalent(
    "torch.distributions.Distribution.log_prob", "torch.distributions.Independent.log_prob",
    "torch.distributions.Normal.log_prob", "torch.distributions.Laplace.log_prob", "torch.distributions.Cauchy.log_prob",
    "torch.distributions.Gumbel.log_prob", "torch.distributions.Uniform.log_prob",
    "torch.distributions.Exponential.log_prob", "torch.distributions.HalfNormal.log_prob",
    "torch.distributions.Gamma.log_prob", "torch.distributions.Beta.log_prob", "torch.distributions.Dirichlet.log_prob",
    "torch.distributions.StudentT.log_prob", "torch.distributions.Bernoulli.log_prob",
    "torch.distributions.Geometric.log_prob", "torch.distributions.Categorical.log_prob",
    "torch.distributions.OneHotCategorical.log_prob", "torch.distributions.Poisson.log_prob",
    "torch.distributions.Binomial.log_prob", "torch.distributions.MultivariateNormal.log_prob",
    "torch.distributions.MixtureSameFamily.log_prob",
)
def log_prob(self, value):
    """The logarithm of the density or probability."""
    return self.log_prob(value)


@equivalent(
    "torch.distributions.Distribution.cdf", "torch.distributions.Normal.cdf", "torch.distributions.Laplace.cdf",
    "torch.distributions.Cauchy.cdf", "torch.distributions.Uniform.cdf", "torch.distributions.Exponential.cdf",
    "torch.distributions.HalfNormal.cdf", "torch.distributions.Gamma.cdf", "torch.distributions.MixtureSameFamily.cdf",
)
def cdf(self, value):
    """The distribution function."""
    return self.cdf(value)


@equivalent(
    "torch.distributions.Distribution.icdf", "torch.distributions.Normal.icdf", "torch.distributions.Laplace.icdf",
    "torch.distributions.Cauchy.icdf", "torch.distributions.Uniform.icdf", "torch.distributions.Exponential.icdf",
    "torch.distributions.HalfNormal.icdf",
)
def icdf(self, value):
    """The inverse of the distribution function."""
    return self.icdf(value)


@equivalent(
    "torch.distributions.Distribution.entropy", "torch.distributions.Independent.entropy",
    "torch.distributions.Normal.entropy", "torch.distributions.LogNormal.entropy", "torch.distributions.Laplace.entropy",
    "torch.distributions.Cauchy.entropy", "torch.distributions.Gumbel.entropy", "torch.distributions.Uniform.entropy",
    "torch.distributions.Exponential.entropy", "torch.distributions.HalfNormal.entropy", "torch.distributions.Gamma.entropy",
    "torch.distributions.Beta.entropy", "torch.distributions.Dirichlet.entropy", "torch.distributions.StudentT.entropy",
    "torch.distributions.Bernoulli.entropy", "torch.distributions.Geometric.entropy",
    "torch.distributions.Categorical.entropy", "torch.distributions.OneHotCategorical.entropy",
    "torch.distributions.Binomial.entropy", "torch.distributions.MultivariateNormal.entropy",
)
def entropy(self):
    """The entropy in nats."""
    return self.entropy()


@equivalent(
    "torch.distributions.Distribution.enumerate_support", "torch.distributions.Independent.enumerate_support",
    "torch.distributions.Bernoulli.enumerate_support", "torch.distributions.Categorical.enumerate_support",
    "torch.distributions.OneHotCategorical.enumerate_support", "torch.distributions.Binomial.enumerate_support",
)
def enumerate_support(self, expand=True):
    """All values of a discrete distribution."""
    return self.enumerate_support(expand)


@equivalent(
    "torch.distributions.Distribution.expand", "torch.distributions.Independent.expand", "torch.distributions.Normal.expand",
    "torch.distributions.LogNormal.expand", "torch.distributions.Laplace.expand", "torch.distributions.Cauchy.expand",
    "torch.distributions.Gumbel.expand", "torch.distributions.Uniform.expand", "torch.distributions.Exponential.expand",
    "torch.distributions.HalfNormal.expand", "torch.distributions.Gamma.expand", "torch.distributions.Chi2.expand",
    "torch.distributions.Beta.expand", "torch.distributions.Dirichlet.expand", "torch.distributions.StudentT.expand",
    "torch.distributions.Bernoulli.expand", "torch.distributions.Geometric.expand", "torch.distributions.Categorical.expand",
    "torch.distributions.OneHotCategorical.expand", "torch.distributions.Poisson.expand",
    "torch.distributions.Binomial.expand", "torch.distributions.MultivariateNormal.expand",
    "torch.distributions.MixtureSameFamily.expand",
)
def expand(self, batch_shape, _instance=None):
    """The same distribution with another batch shape."""
    return self.expand(batch_shape, _instance)


@equivalent(
    "torch.distributions.Distribution.sample_n",
)
def sample_n(self, n):
    """`n` samples."""
    return self.sample_n(n)


@equivalent(
    "torch.distributions.Distribution.perplexity",
)
def perplexity(self):
    """e to the power of the entropy."""
    return self.perplexity()


@attribute(
    "torch.distributions.Distribution.mean", "torch.distributions.Independent.mean", "torch.distributions.Normal.mean",
    "torch.distributions.LogNormal.mean", "torch.distributions.Laplace.mean", "torch.distributions.Cauchy.mean",
    "torch.distributions.Gumbel.mean", "torch.distributions.Uniform.mean", "torch.distributions.Exponential.mean",
    "torch.distributions.HalfNormal.mean", "torch.distributions.Gamma.mean", "torch.distributions.Beta.mean",
    "torch.distributions.Dirichlet.mean", "torch.distributions.StudentT.mean", "torch.distributions.Bernoulli.mean",
    "torch.distributions.Geometric.mean", "torch.distributions.Categorical.mean",
    "torch.distributions.OneHotCategorical.mean", "torch.distributions.Poisson.mean", "torch.distributions.Binomial.mean",
    "torch.distributions.MultivariateNormal.mean", "torch.distributions.MixtureSameFamily.mean",
)
def mean(self):
    """The expected value."""
    return self.mean


@attribute(
    "torch.distributions.Distribution.mode", "torch.distributions.Independent.mode", "torch.distributions.Normal.mode",
    "torch.distributions.LogNormal.mode", "torch.distributions.Laplace.mode", "torch.distributions.Cauchy.mode",
    "torch.distributions.Gumbel.mode", "torch.distributions.Uniform.mode", "torch.distributions.Exponential.mode",
    "torch.distributions.HalfNormal.mode", "torch.distributions.Gamma.mode", "torch.distributions.Beta.mode",
    "torch.distributions.Dirichlet.mode", "torch.distributions.StudentT.mode", "torch.distributions.Bernoulli.mode",
    "torch.distributions.Geometric.mode", "torch.distributions.Categorical.mode",
    "torch.distributions.OneHotCategorical.mode", "torch.distributions.Poisson.mode", "torch.distributions.Binomial.mode",
    "torch.distributions.MultivariateNormal.mode",
)
def mode(self):
    """The likeliest value."""
    return self.mode


@attribute(
    "torch.distributions.Distribution.variance", "torch.distributions.Independent.variance",
    "torch.distributions.Normal.variance", "torch.distributions.LogNormal.variance", "torch.distributions.Laplace.variance",
    "torch.distributions.Cauchy.variance", "torch.distributions.Gumbel.variance", "torch.distributions.Uniform.variance",
    "torch.distributions.Exponential.variance", "torch.distributions.HalfNormal.variance",
    "torch.distributions.Gamma.variance", "torch.distributions.Beta.variance", "torch.distributions.Dirichlet.variance",
    "torch.distributions.StudentT.variance", "torch.distributions.Bernoulli.variance",
    "torch.distributions.Geometric.variance", "torch.distributions.Categorical.variance",
    "torch.distributions.OneHotCategorical.variance", "torch.distributions.Poisson.variance",
    "torch.distributions.Binomial.variance", "torch.distributions.MultivariateNormal.variance",
    "torch.distributions.MixtureSameFamily.variance",
)
def variance(self):
    """The variance."""
    return self.variance


@attribute(
    "torch.distributions.Distribution.stddev", "torch.distributions.Normal.stddev", "torch.distributions.Laplace.stddev",
    "torch.distributions.Gumbel.stddev", "torch.distributions.Uniform.stddev", "torch.distributions.Exponential.stddev",
)
def stddev(self):
    """The standard deviation."""
    return self.stddev


@attribute(
    "torch.distributions.Distribution.batch_shape",
)
def batch_shape(self):
    """The shape of the parameters."""
    return self.batch_shape


@attribute(
    "torch.distributions.Distribution.event_shape",
)
def event_shape(self):
    """The shape of one sample of one distribution."""
    return self.event_shape


@attribute(
    "torch.distributions.Distribution.has_rsample", "torch.distributions.Independent.has_rsample",
    "torch.distributions.Normal.has_rsample", "torch.distributions.LogNormal.has_rsample",
    "torch.distributions.Laplace.has_rsample", "torch.distributions.Cauchy.has_rsample",
    "torch.distributions.Uniform.has_rsample", "torch.distributions.Exponential.has_rsample",
    "torch.distributions.HalfNormal.has_rsample", "torch.distributions.OneHotCategoricalStraightThrough.has_rsample",
    "torch.distributions.MultivariateNormal.has_rsample", "torch.distributions.MixtureSameFamily.has_rsample",
    "torch.distributions.Gamma.has_rsample", "torch.distributions.Chi2.has_rsample", "torch.distributions.Beta.has_rsample",
    "torch.distributions.Dirichlet.has_rsample", "torch.distributions.StudentT.has_rsample", "torch.distributions.InverseGamma.has_rsample",
    "torch.distributions.FisherSnedecor.has_rsample",
)
def has_rsample(self):
    """Whether samples can be differentiable."""
    return self.has_rsample


@attribute(
    "torch.distributions.Distribution.has_enumerate_support", "torch.distributions.Independent.has_enumerate_support",
    "torch.distributions.Bernoulli.has_enumerate_support", "torch.distributions.Categorical.has_enumerate_support",
    "torch.distributions.OneHotCategorical.has_enumerate_support", "torch.distributions.Binomial.has_enumerate_support",
)
def has_enumerate_support(self):
    """Whether all values can be listed."""
    return self.has_enumerate_support
