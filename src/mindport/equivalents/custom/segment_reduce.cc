// Reductions of consecutive rows; `lengths` says how many rows each segment has.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

enum Reduce { SUM, MEAN, MAX, MIN, PROD };

struct Settings {
  int reduce;
  bool given;
  double initial;
  bool checked;
  explicit Settings(const void *from) {
    const auto *told = static_cast<const double *>(from);
    reduce = static_cast<int>(told[0]), given = told[1] != 0, initial = told[2], checked = told[3] != 0;
  }
  double start() const {
    if (given) return initial;
    const double infinity = std::numeric_limits<double>::infinity();
    return reduce == MAX ? -infinity : reduce == MIN ? infinity : reduce == PROD ? 1 : 0;
  }
};

static bool fits(const int64_t *lengths, int64_t segments, int64_t rows, bool exactly) {
  int64_t sum = 0;
  for (int64_t s = 0; s < segments; ++s) {
    if (lengths[s] < 0) return false;
    sum += lengths[s];
  }
  return exactly ? sum == rows : sum <= rows;
}

template <typename T> static T join(const Settings &how, T held, T value) {
  if (how.reduce == PROD) return held * value;
  if (how.reduce == MAX) return std::isnan(held) || held > value ? held : value;
  if (how.reduce == MIN) return std::isnan(held) || held < value ? held : value;
  return held + value;
}

template <typename T>
static void forward(const T *data, const int64_t *lengths, const Settings &how, T *out, int64_t segments, int64_t inner) {
  int64_t first = 0;
  for (int64_t s = 0; s < segments; first += lengths[s++])
    for (int64_t i = 0; i < inner; ++i) {
      T held = static_cast<T>(how.start());
      for (int64_t row = first; row < first + lengths[s]; ++row) held = join(how, held, data[row * inner + i]);
      if (how.reduce == MEAN && lengths[s] == 0 && !how.given) held = std::numeric_limits<T>::quiet_NaN();
      if (how.reduce == MEAN && lengths[s] > 0 && !std::isnan(held)) held /= static_cast<T>(lengths[s]);
      out[s * inner + i] = held;
    }
}

template <typename T>
static void backward(const T *data, const int64_t *lengths, const Settings &how, const T *out, const T *grad, T *given, int64_t segments, int64_t inner) {
  int64_t first = 0;
  for (int64_t s = 0; s < segments; first += lengths[s++])
    for (int64_t i = 0; i < inner; ++i) {
      const T g = grad[s * inner + i], reduced = out[s * inner + i];
      const int64_t last = first + lengths[s];
      int64_t ties = 0;
      for (int64_t row = first; row < last; ++row) {
        const T value = data[row * inner + i];
        T *to = given + row * inner + i;
        if (how.reduce == SUM) *to = g;
        if (how.reduce == MEAN) *to = g / static_cast<T>(lengths[s]);
        if (how.reduce == MAX || how.reduce == MIN) {
          const bool chosen = value == reduced || std::isnan(value);
          ties += chosen;
          *to = chosen ? g : 0;
        }
        if (how.reduce == PROD) {
          T others = static_cast<T>(how.start());
          for (int64_t other = first; other < last; ++other)
            if (other != row) others *= data[other * inner + i];
          *to = g * others;
        }
      }
      // torch shares a positive gradient among ties, and gives each of them a negative one whole.
      for (int64_t row = first; ties > 1 && row < last; ++row)
        if (given[row * inner + i] > 0) given[row * inner + i] /= static_cast<T>(ties);
    }
}

static int64_t inner(const int64_t *shape, int rank) {
  int64_t count = 1;
  for (int i = 1; i < rank; ++i) count *= shape[i];
  return count;
}

// Inputs: data, lengths (int64), settings (4 float64: reduce, initial given, initial, lengths checked). Outputs: one row for each segment.
extern "C" int SegmentReduce(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra) {
  if (nparam != 4) return 1;
  const Settings how(params[2]);
  const auto *lengths = static_cast<const int64_t *>(params[1]);
  const int64_t segments = shapes[1][0], width = inner(shapes[0], ndims[0]);
  if (!fits(lengths, segments, shapes[0][0], how.checked)) return 3;
  if (std::strcmp(dtypes[0], "float32") == 0) forward(static_cast<const float *>(params[0]), lengths, how, static_cast<float *>(params[3]), segments, width);
  else if (std::strcmp(dtypes[0], "float64") == 0) forward(static_cast<const double *>(params[0]), lengths, how, static_cast<double *>(params[3]), segments, width);
  else return 2;
  return 0;
}

// Inputs: data, lengths, settings, the forward result, its gradient. Outputs: data's gradient.
extern "C" int SegmentReduceGrad(int nparam, void **params, int *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra) {
  if (nparam != 6) return 1;
  const Settings how(params[2]);
  const auto *lengths = static_cast<const int64_t *>(params[1]);
  const int64_t segments = shapes[1][0], width = inner(shapes[0], ndims[0]), count = shapes[0][0] * width;
  if (!fits(lengths, segments, shapes[0][0], how.checked)) return 3;
  if (std::strcmp(dtypes[0], "float32") == 0) {
    std::memset(params[5], 0, count * sizeof(float));
    backward(static_cast<const float *>(params[0]), lengths, how, static_cast<const float *>(params[3]), static_cast<const float *>(params[4]), static_cast<float *>(params[5]), segments, width);
  } else if (std::strcmp(dtypes[0], "float64") == 0) {
    std::memset(params[5], 0, count * sizeof(double));
    backward(static_cast<const double *>(params[0]), lengths, how, static_cast<const double *>(params[3]), static_cast<const double *>(params[4]), static_cast<double *>(params[5]), segments, width);
  } else return 2;
  return 0;
}
