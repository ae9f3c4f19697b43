// Bicubic sampling of images at a grid's places (Keys' kernel with a = -0.75), and its gradients.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

enum Padding { ZEROS, BORDER, REFLECTION };

template <typename T> struct Axis {
  int64_t at[4];  // where the four neighbours are read, -1 for outside
  T weight[4], slope[4], scale;
  Axis(T place, int64_t size, int padding, bool corners) {
    scale = corners ? T(size - 1) / 2 : T(size) / 2;
    const T x = corners ? (place + 1) * scale : ((place + 1) * size - 1) / 2, floor = std::floor(x), t = x - floor, a = T(-0.75);
    const T apart[4] = {1 + t, t, 1 - t, 2 - t};
    for (int i = 0; i < 4; ++i) {
      const T d = apart[i], sign = i < 2 ? T(1) : T(-1);
      const bool outer = i == 0 || i == 3;
      weight[i] = outer ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : ((a + 2) * d - (a + 3)) * d * d + 1;
      slope[i] = sign * (outer ? (3 * a * d - 10 * a) * d + 8 * a : (3 * (a + 2) * d - 2 * (a + 3)) * d);
      at[i] = index(floor - 1 + i, size, padding, corners);
    }
  }
  static int64_t index(T x, int64_t size, int padding, bool corners) {
    if (padding == REFLECTION) {
      const T low = corners ? T(0) : T(-0.5), span = corners ? T(size - 1) : T(size);
      if (span <= 0) x = 0;
      else {
        const T off = std::fabs(x - low), rest = std::fmod(off, span);
        x = (static_cast<int64_t>(std::floor(off / span)) % 2 == 0 ? rest : span - rest) + low;
      }
    }
    if (padding != ZEROS) x = std::min(std::max(x, T(0)), T(size - 1));
    return x >= 0 && x <= T(size - 1) ? static_cast<int64_t>(x) : -1;
  }
};

struct Sizes {
  int64_t batch, channels, height, width, rows, columns;
  Sizes(const int64_t *image, const int64_t *grid)
      : batch(image[0]), channels(image[1]), height(image[2]), width(image[3]), rows(grid[1]), columns(grid[2]) {}
};

template <typename T, typename Visit> static void visit(const T *grid, const int64_t *settings, const Sizes &n, Visit each) {
  for (int64_t b = 0; b < n.batch; ++b)
    for (int64_t place = 0; place < n.rows * n.columns; ++place) {
      const T *xy = grid + (b * n.rows * n.columns + place) * 2;
      const Axis<T> x(xy[0], n.width, settings[0], settings[1]), y(xy[1], n.height, settings[0], settings[1]);
      for (int64_t c = 0; c < n.channels; ++c) each(b, place, (b * n.channels + c) * n.rows * n.columns + place, (b * n.channels + c) * n.height * n.width, x, y);
    }
}

template <typename T> static void forward(void **params, const Sizes &n) {
  const auto *image = static_cast<const T *>(params[0]);
  auto *out = static_cast<T *>(params[3]);
  visit(static_cast<const T *>(params[1]), static_cast<const int64_t *>(params[2]), n, [&](int64_t, int64_t, int64_t to, int64_t plane, const Axis<T> &x, const Axis<T> &y) {
    T sum = 0;
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i)
        if (x.at[i] >= 0 && y.at[j] >= 0) sum += image[plane + y.at[j] * n.width + x.at[i]] * x.weight[i] * y.weight[j];
    out[to] = sum;
  });
}

template <typename T> static void backward(void **params, const Sizes &n) {
  const auto *image = static_cast<const T *>(params[0]);
  const auto *given = static_cast<const T *>(params[3]);
  auto *to_image = static_cast<T *>(params[4]), *to_grid = static_cast<T *>(params[5]);
  std::fill_n(to_image, n.batch * n.channels * n.height * n.width, T(0));
  std::fill_n(to_grid, n.batch * n.rows * n.columns * 2, T(0));
  visit(static_cast<const T *>(params[1]), static_cast<const int64_t *>(params[2]), n, [&](int64_t b, int64_t place, int64_t from, int64_t plane, const Axis<T> &x, const Axis<T> &y) {
    T *to = to_grid + (b * n.rows * n.columns + place) * 2;
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 4; ++i)
        if (x.at[i] >= 0 && y.at[j] >= 0) {
          const int64_t pixel = plane + y.at[j] * n.width + x.at[i];
          to_image[pixel] += given[from] * x.weight[i] * y.weight[j];
          to[0] += given[from] * image[pixel] * x.slope[i] * y.weight[j] * x.scale;
          to[1] += given[from] * image[pixel] * x.weight[i] * y.slope[j] * y.scale;
        }
  });
}

// Inputs: image (n, c, h, w), grid (n, rows, columns, 2), settings (2 int64: padding, align_corners). Outputs: (n, c, rows, columns).
extern "C" int GridSample(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra) {
  if (nparam != 4 || ndims[0] != 4 || ndims[1] != 4 || shapes[0][0] != shapes[1][0] || shapes[1][3] != 2) return 1;
  const Sizes n(shapes[0], shapes[1]);
  if (std::strcmp(dtypes[0], "float32") == 0) forward<float>(params, n);
  else if (std::strcmp(dtypes[0], "float64") == 0) forward<double>(params, n);
  else return 2;
  return 0;
}

// Inputs: image, grid, settings, the result's gradient. Outputs: the gradients of image and grid.
extern "C" int GridSampleGrad(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra) {
  if (nparam != 6) return 1;
  const Sizes n(shapes[0], shapes[1]);
  if (std::strcmp(dtypes[0], "float32") == 0) backward<float>(params, n);
  else if (std::strcmp(dtypes[0], "float64") == 0) backward<double>(params, n);
  else return 2;
  return 0;
}
