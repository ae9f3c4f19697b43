// Ai(x) through Bessel functions of order 1/3, which the C++17 library has; DLMF 9.6.1 and 9.6.6.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

static double airy(double x) {
  if (std::isnan(x)) return x;
  if (x == 0) return 0.355028053887817239260063;
  const double pi = 3.14159265358979323846, magnitude = std::fabs(x);
  if (std::isinf(x)) return x > 0 ? 0 : std::numeric_limits<double>::quiet_NaN();
  const double zeta = 2.0 / 3.0 * magnitude * std::sqrt(magnitude);
  if (x > 0) return zeta > 700 ? 0 : std::sqrt(x / 3) / pi * std::cyl_bessel_k(1.0 / 3.0, zeta);
  return std::sqrt(magnitude) / 2 * (std::cyl_bessel_j(1.0 / 3.0, zeta) - std::cyl_neumann(1.0 / 3.0, zeta) / std::sqrt(3.0));
}

template <typename T> static void each(const void *from, void *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) static_cast<T *>(to)[i] = static_cast<T>(airy(static_cast<const T *>(from)[i]));
}

// Inputs: x. Outputs: Ai(x), of x's shape and dtype (float32 or float64).
extern "C" int AiryAi(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra) {
  if (nparam != 2) return 1;
  int64_t count = 1;
  for (int i = 0; i < ndims[0]; ++i) count *= shapes[0][i];
  if (std::strcmp(dtypes[0], "float32") == 0) each<float>(params[0], params[1], count);
  else if (std::strcmp(dtypes[0], "float64") == 0) each<double>(params[0], params[1], count);
  else return 2;
  return 0;
}
