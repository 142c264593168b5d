#include "lib/page/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lib/page/text.hpp"

namespace basesweep {

double nice_width(double width) {
  if (!(width > 0) || !std::isfinite(width)) return 1;
  const double power = std::pow(10.0, std::floor(std::log10(width)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * power >= width * (1 - 1e-9)) return step * power;
  }
  return 10 * power;
}

Scale Scale::logarithmic(double low, double high, double first, double last, double shift) {
  Scale scale(std::log10(low + shift), std::log10(high + shift), first, last);
  scale.logarithmic_ = true;
  scale.shift_ = shift;
  return scale;
}

double Scale::place(double value) const {
  const double shown = logarithmic_ ? std::log10(std::max(value + shift_, 1e-9)) : value;
  if (high_ <= low_) return first_;
  return first_ + (last_ - first_) * std::clamp((shown - low_) / (high_ - low_), 0.0, 1.0);
}

std::vector<Tick> Scale::ticks(int most) const {
  std::vector<Tick> ticks;
  if (high_ <= low_) return ticks;
  if (!logarithmic_) {
    const double step = nice_width((high_ - low_) / most);
    const double first = std::ceil(low_ / step - 1e-9);
    for (int i = 0; i <= 2 * most && (first + i) * step <= high_ + step * 1e-9; ++i) {
      const double value = (first + i) * step;
      ticks.push_back({value, rounded(value)});
    }
    return ticks;
  }
  if (shift_ > 0 && low_ <= 0) ticks.push_back({0, "0"});
  const int every = std::max(1, static_cast<int>(std::ceil((high_ - low_) / most)));
  for (int power = 0; power <= high_ + 1e-9; power += every) {
    const double value = std::pow(10.0, power);
    if (std::log10(value + shift_) >= low_) ticks.push_back({value, rounded(value)});
  }
  return ticks;
}

Levels Levels::of_counts(double most) {
  Levels levels;
  if (!(most > 0)) return levels;
  levels.most_ = std::max(most, 1.0);
  const double step = levels.most_ <= 25 ? std::ceil(levels.most_ / kLevels) : 0;
  const double factor = std::pow(levels.most_, 1.0 / kLevels);
  double bound = 1;
  for (std::size_t i = 0; i < kLevels; ++i) {
    levels.bounds_[i] = std::max(bound, std::round(std::pow(factor, static_cast<double>(i))));
    if (step > 0) levels.bounds_[i] = 1 + static_cast<double>(i) * step;
    bound = levels.bounds_[i] + 1;
  }
  return levels;
}

Levels Levels::of_rates(std::vector<double> values) {
  Levels levels;
  levels.rates_ = true;
  std::erase_if(values, [](double value) { return !(value > 0); });
  if (values.empty()) return levels;
  std::sort(values.begin(), values.end());
  const double low = values[values.size() / 20];  // a few low ones, as at the ends of records, do not count
  const double high = values.back();
  levels.most_ = high;
  // Bounds with as few digits as keep them apart.
  for (int digits = 2; digits <= 6; ++digits) {
    levels.bounds_ = {};
    bool apart = true;
    for (std::size_t i = 1; i < kLevels; ++i) {
      const double share = static_cast<double>(i) / kLevels;
      const double first = high / low > 3 ? 0 : low;
      const double bound = high / low > 20 ? low * std::pow(high / low, share) : first + (high - first) * share;
      levels.bounds_[i] = std::stod(fmt::format("{:.{}g}", bound, digits));
      apart = apart && levels.bounds_[i] > levels.bounds_[i - 1] && levels.bounds_[i] <= high;
    }
    if (apart) return levels;
  }
  levels.bounds_ = {0, 2 * high, 2 * high, 2 * high, 2 * high};  // all are the same
  return levels;
}

Levels Levels::of_shares() {
  Levels levels;
  levels.shares_ = true;
  levels.most_ = 1;
  levels.bounds_ = {0, 0.1, 0.25, 0.5, 0.75};
  return levels;
}

int Levels::level(double value) const {
  if (!(value > 0)) return 0;
  std::size_t number = 1;
  while (number < used() && value >= bounds_[number]) ++number;
  return color_of(number);
}

std::size_t Levels::used() const {
  return static_cast<std::size_t>(
      std::count_if(bounds_.begin(), bounds_.end(), [&](double bound) { return bound <= most_; }));
}

int Levels::color_of(std::size_t number) const {
  constexpr std::array<std::array<int, kLevels>, kLevels> kColors{
      {{4}, {3, 5}, {2, 4, 5}, {2, 3, 4, 5}, {1, 2, 3, 4, 5}}};
  return kColors[used() - 1][number - 1];
}

std::vector<LevelName> Levels::names() const {
  std::vector<LevelName> names;
  if (!(most_ > 0)) return names;
  for (std::size_t i = 0; i < used(); ++i) {
    if (shares_) {
      const double next = i + 1 < kLevels ? bounds_[i + 1] : 1;
      names.push_back(
          {color_of(i + 1), fmt::format("{}{:.0f}\u2013{:.0f} %", i == 0 ? "> " : "", 100 * bounds_[i], 100 * next)});
      continue;
    }
    if (rates_) {
      const std::string first = i == 0 ? "> 0" : rounded(bounds_[i]);
      names.push_back({color_of(i + 1), first + "\u2013" +
                                            (i + 1 < used() ? rounded(bounds_[i + 1])
                                             : most_ < 1000 ? decimal(most_, 3)
                                                            : rounded(std::round(most_)))});
      continue;
    }
    const double last = i + 1 < kLevels ? std::min(bounds_[i + 1] - 1, most_) : most_;
    names.push_back(
        {color_of(i + 1), last > bounds_[i] ? rounded(bounds_[i]) + "\u2013" + rounded(last) : rounded(bounds_[i])});
  }
  return names;
}

}  // namespace basesweep
