#include "report/curve.h"

#include <algorithm>
#include <cmath>

namespace floydnet::report {
namespace {

constexpr double kWidth = 0.015;        // of the bell, as a share of the run
constexpr double kLeastWidth = 0.6;     // in points; below, smoothing changes nothing
constexpr double kOutlierShare = 0.02;  // of values at either end

/// Some consecutive points.
struct Bucket {
  CurvePoint mean;
  CurvePoint first_extreme, last_extreme;  // the least and the largest, as they came
  double count = 0;
};

Curve finite(const Curve& curve) {
  Curve found;
  std::copy_if(curve.begin(), curve.end(), std::back_inserter(found),
               [](const CurvePoint& point) { return std::isfinite(point.value); });
  return found;
}

Bucket bucket_of(const CurvePoint* begin, const CurvePoint* end) {
  Bucket bucket;
  bucket.count = static_cast<double>(end - begin);
  for (const CurvePoint* point = begin; point != end; ++point) {
    // Each divided by itself, since the sum of large values may overflow.
    bucket.mean.step += point->step / bucket.count;
    bucket.mean.seconds += point->seconds / bucket.count;
    bucket.mean.value += point->value / bucket.count;
  }
  auto [least, largest] = std::minmax_element(
      begin, end, [](const CurvePoint& a, const CurvePoint& b) { return a.value < b.value; });
  if (largest < least) std::swap(least, largest);
  bucket.first_extreme = *least;
  bucket.last_extreme = *largest;
  return bucket;
}

std::vector<Bucket> buckets_of(const Curve& curve, size_t limit) {
  const size_t count = std::min(curve.size(), limit);
  std::vector<Bucket> buckets;
  for (size_t i = 0; i < count; ++i) {
    buckets.push_back(bucket_of(curve.data() + curve.size() * i / count,
                                curve.data() + curve.size() * (i + 1) / count));
  }
  return buckets;
}

/// For the bucket at `centre`, all within three standard deviations.
CurvePoint bell_mean(const std::vector<Bucket>& buckets, size_t centre, double width) {
  const auto reach = static_cast<size_t>(std::ceil(3 * width));
  const size_t begin = centre - std::min(centre, reach);
  const size_t end = std::min(buckets.size(), centre + reach + 1);
  const auto weight = [&](size_t i) {
    const double distance = (static_cast<double>(i) - static_cast<double>(centre)) / width;
    return buckets[i].count * std::exp(-0.5 * distance * distance);
  };
  double sum = 0;
  for (size_t i = begin; i < end; ++i) sum += weight(i);
  CurvePoint mean = buckets[centre].mean;
  mean.value = 0;
  for (size_t i = begin; i < end; ++i) mean.value += weight(i) / sum * buckets[i].mean.value;
  return mean;
}

/// The range of all but the outliers.
std::pair<double, double> usual_range(const Curve& curve) {
  std::vector<double> values;
  for (const CurvePoint& point : curve) values.push_back(point.value);
  std::sort(values.begin(), values.end());
  const auto cut = static_cast<size_t>(kOutlierShare * static_cast<double>(values.size()));
  return {values[cut], values[values.size() - 1 - cut]};
}

}  // namespace

Curve thinned(const Curve& curve, size_t limit) {
  const Curve all = finite(curve);
  if (all.size() <= limit) return all;
  Curve few = {all.front()};
  for (const Bucket& bucket : buckets_of(all, limit)) few.push_back(bucket.last_extreme);
  few.back() = all.back();
  return few;
}

SmoothedCurve smoothed(const Curve& curve, size_t limit) {
  const Curve all = finite(curve);
  const std::vector<Bucket> buckets = buckets_of(all, limit);
  const double width = kWidth * static_cast<double>(buckets.size());
  if (width < kLeastWidth) return {all, {}};
  SmoothedCurve result;
  auto [low, high] = usual_range(all);
  for (size_t i = 0; i < buckets.size(); ++i) {
    result.smooth.push_back(bell_mean(buckets, i, width));
    low = std::min(low, result.smooth.back().value);
    high = std::max(high, result.smooth.back().value);
  }
  for (const Bucket& bucket : buckets) {
    for (CurvePoint point : {bucket.first_extreme, bucket.last_extreme}) {
      point.value = std::clamp(point.value, low, high);
      result.raw.push_back(point);
      if (bucket.count == 1) break;
    }
  }
  return result;
}

}  // namespace floydnet::report
