// Distances between all rows of two tables in the p-norm, directly, for every p from 0 to infinity.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

template <typename T> static T distance(const T *a, const T *b, int64_t width, double p) {
  T held = 0;
  for (int64_t k = 0; k < width; ++k) {
    const T apart = std::fabs(a[k] - b[k]);
    if (p == 0) held += apart != 0;
    else if (p == 1) held += apart;
    else if (p == 2) held += apart * apart;
    else if (std::isinf(p)) held = std::isnan(held) || held > apart ? held : apart;
    else held += std::pow(apart, static_cast<T>(p));
  }
  if (p == 2) return std::sqrt(held);
  return p == 0 || p == 1 || std::isinf(p) ? held : std::pow(held, static_cast<T>(1 / p));
}

template <typename T> static T slope(T apart, T held, T grad, double p) {
  const T sign = static_cast<T>((apart > 0) - (apart < 0)), magnitude = std::fabs(apart);
  if (p == 0) return 0;
  if (p == 1) return grad * sign;
  if (std::isinf(p)) return grad * sign * (magnitude == held);
  if (held == 0 || (apart == 0 && p < 1)) return 0;
  if (p == 2) return grad * apart / held;
  return sign * std::pow(magnitude, static_cast<T>(p - 1)) * grad / std::pow(held, static_cast<T>(p - 1));
}

struct Sizes {
  int64_t batch, rows, columns, width;
  Sizes(const int64_t *left, const int64_t *right) : batch(left[0]), rows(left[1]), columns(right[1]), width(left[2]) {}
};

template <typename T> static void forward(const void *left, const void *right, double p, void *out, const Sizes &n) {
  const auto *a = static_cast<const T *>(left), *b = static_cast<const T *>(right);
  auto *to = static_cast<T *>(out);
  for (int64_t s = 0; s < n.batch; ++s)
    for (int64_t i = 0; i < n.rows; ++i)
      for (int64_t j = 0; j < n.columns; ++j)
        *to++ = distance(a + (s * n.rows + i) * n.width, b + (s * n.columns + j) * n.width, n.width, p);
}

template <typename T>
static void backward(const void *left, const void *right, double p, const void *out, const void *grad, void *to_left, void *to_right, const Sizes &n) {
  const auto *a = static_cast<const T *>(left), *b = static_cast<const T *>(right);
  const auto *held = static_cast<const T *>(out), *given = static_cast<const T *>(grad);
  auto *to_a = static_cast<T *>(to_left), *to_b = static_cast<T *>(to_right);
  std::fill_n(to_a, n.batch * n.rows * n.width, T(0));
  std::fill_n(to_b, n.batch * n.columns * n.width, T(0));
  for (int64_t s = 0; s < n.batch; ++s)
    for (int64_t i = 0; i < n.rows; ++i)
      for (int64_t j = 0; j < n.columns; ++j, ++held, ++given)
        for (int64_t k = 0; k < n.width; ++k) {
          const int64_t in_a = (s * n.rows + i) * n.width + k, in_b = (s * n.columns + j) * n.width + k;
          const T change = slope(a[in_a] - b[in_b], *held, *given, p);
          to_a[in_a] += change;
          to_b[in_b] -= change;
        }
}

// Inputs: x1 (batch, n, d), x2 (batch, m, d), p (1, float64). Outputs: distances (batch, n, m).
extern "C" int Cdist(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra) {
  if (nparam != 4 || ndims[0] != 3 || ndims[1] != 3) return 1;
  const double p = *static_cast<const double *>(params[2]);
  const Sizes n(shapes[0], shapes[1]);
  if (std::strcmp(dtypes[0], "float32") == 0) forward<float>(params[0], params[1], p, params[3], n);
  else if (std::strcmp(dtypes[0], "float64") == 0) forward<double>(params[0], params[1], p, params[3], n);
  else return 2;
  return 0;
}

// Inputs: x1, x2, p, the distances, their gradient. Outputs: the gradients of x1 and x2.
extern "C" int CdistGrad(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra) {
  if (nparam != 7) return 1;
  const double p = *static_cast<const double *>(params[2]);
  const Sizes n(shapes[0], shapes[1]);
  if (std::strcmp(dtypes[0], "float32") == 0) backward<float>(params[0], params[1], p, params[3], params[4], params[5], params[6], n);
  else if (std::strcmp(dtypes[0], "float64") == 0) backward<double>(params[0], params[1], p, params[3], params[4], params[5], params[6], n);
  else return 2;
  return 0;
}
