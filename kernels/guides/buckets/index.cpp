#include "kernels/guides/buckets/index.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "lib/base/per_thread.hpp"

namespace basesweep::buckets {
namespace {

constexpr std::uint32_t kMostPartBits = 8;
constexpr std::size_t kStretch = 1U << 17;  // sites that one task shares out to parts
constexpr std::size_t kPiece = 1U << 14;    // entries of a part where there is one bucket
constexpr std::size_t kWordsOfVector = 8;   // at most

std::size_t divided_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

// Memory of one thread.
struct Work {
  std::vector<std::uint32_t> begins;
  std::vector<SiteBases> sorted;
};

// Makes room for parts of these sizes, in entries, and returns where each begins. A vector that begins in a part does
// not reach into the next one: two threads may search them.
std::vector<std::uint32_t> lay_out(const std::vector<std::size_t>& sizes, Index& index) {
  std::vector<std::uint32_t> begins;
  std::size_t entries = 0;
  for (const std::size_t size : sizes) {
    begins.push_back(static_cast<std::uint32_t>(entries));
    entries += size == 0 ? 0 : (divided_up(size, 64) + kWordsOfVector - 1) * 64;
  }
  set_size(entries, index.site);
  set_size(entries / 64 * 2 * index.bases, index.planes);
  index.buckets.resize(sizes.size());
  for (auto& buckets : index.buckets) buckets.clear();
  return begins;
}

// Of sites that are in order; `to`: the first one's entry.
void make_planes(const SiteBases* sites, std::size_t count, std::size_t to, Isa isa, Index& index) {
  const auto make = buckets_make_planes_for(isa);
  for (std::size_t i = 0; i < count; i += 64) {
    make(sites + i, static_cast<std::uint32_t>(std::min<std::size_t>(64, count - i)), index.bases,
         index.planes.data() + (to + i) / 64 * 2 * index.bases);
  }
}

void build_one_bucket(std::span<const SiteBases> sites, Isa isa, const GuideFinder::Loop& loop, Index& index) {
  const std::size_t count = sites.size();
  std::vector<std::size_t> sizes(divided_up(count, kPiece), kPiece);
  if (!sizes.empty()) sizes.back() = count - (sizes.size() - 1) * kPiece;
  const std::vector<std::uint32_t> begins = lay_out(sizes, index);
  loop(sizes.size(), [&](std::size_t part) {
    const std::size_t first = part * kPiece;
    const auto site = index.site.begin() + begins[part];
    std::iota(site, site + static_cast<std::ptrdiff_t>(sizes[part]), static_cast<std::uint32_t>(first));
    make_planes(sites.data() + first, sizes[part], begins[part], isa, index);
    index.buckets[part].push_back({0, begins[part], begins[part] + static_cast<std::uint32_t>(sizes[part])});
  });
}

// Gives the key of a site. (A copy of it in a loop lets the compiler see that what the loop writes does not change it.)
struct KeyOf {
  std::uint32_t first;
  std::uint32_t q;
  std::uint32_t operator()(const SiteBases& site) const {
    const std::uint32_t mask = (1U << q) - 1;
    return (site.lo >> first & mask) | (site.hi >> first & mask) << q;
  }
};

class Builder {
 public:
  Builder(std::span<const SiteBases> sites, Parts& parts, Index& index)
      : sites_(sites),
        parts_(parts),
        index_(index),
        key_{index.first, index.q},
        shift_(2 * index.q - std::min(2 * index.q, kMostPartBits)) {}

  void build(Isa isa, const GuideFinder::Loop& loop) {
    share_out(loop);
    std::vector<std::size_t> sizes;
    for (std::size_t part = 0; part < count(); ++part) sizes.push_back(begins_[part + 1] - begins_[part]);
    const std::vector<std::uint32_t> to = lay_out(sizes, index_);
    loop(count(), [&](std::size_t part) { sort_part(static_cast<std::uint32_t>(part), to[part], isa); });
  }

 private:
  std::size_t count() const { return std::size_t{1} << (2 * index_.q - shift_); }

  // Copies the sites into parts.
  void share_out(const GuideFinder::Loop& loop) {
    const std::size_t all = sites_.size();
    set_size(all, parts_.entries);
    parts_.begins.resize(std::max<std::size_t>(1, divided_up(all, kStretch)));
    const SiteBases* const bases = sites_.data();
    loop(parts_.begins.size(), [&](std::size_t stretch) {
      std::vector<std::uint32_t>& counts = parts_.begins[stretch];
      counts.assign(count(), 0);
      std::uint32_t* const own = counts.data();
      const std::size_t end = std::min(all, (stretch + 1) * kStretch);
      for (std::size_t i = stretch * kStretch, shift = shift_; i < end; ++i) ++own[key_(bases[i]) >> shift];
    });
    begins_.clear();
    std::uint32_t at = 0;
    for (std::size_t part = 0; part < count(); ++part) {
      begins_.push_back(at);
      for (std::vector<std::uint32_t>& begins : parts_.begins) at += std::exchange(begins[part], at);
    }
    begins_.push_back(at);
    loop(parts_.begins.size(), [&](std::size_t stretch) {
      std::uint32_t* const next = parts_.begins[stretch].data();
      Parts::Entry* const to = parts_.entries.data();
      const KeyOf key = key_;
      const std::uint32_t shift = shift_;
      const std::size_t end = std::min(all, (stretch + 1) * kStretch);
      for (std::size_t i = stretch * kStretch; i < end; ++i) {
        const SiteBases own = bases[i];
        to[next[key(own) >> shift]++] = {own, static_cast<std::uint32_t>(i)};
      }
    });
  }

  // Sorts the sites of a part by the rest of their keys.
  void sort_part(std::uint32_t part, std::uint32_t to, Isa isa) {
    auto& [begins, sorted] = per_thread<Work>();
    const std::uint32_t keys = 1U << shift_;
    const Parts::Entry* const entries = parts_.entries.data() + begins_[part];
    const std::uint32_t size = begins_[part + 1] - begins_[part];
    const auto rest = [entries, key = key_, mask = keys - 1](std::uint32_t i) { return key(entries[i].bases) & mask; };
    begins.assign(keys + 1, 0);
    for (std::uint32_t i = 0; i < size; ++i) ++begins[rest(i) + 1];
    for (std::uint32_t k = 0; k < keys; ++k) {
      begins[k + 1] += begins[k];
      if (begins[k] == begins[k + 1]) continue;
      index_.buckets[part].push_back({part << shift_ | k, to + begins[k], to + begins[k + 1]});
    }
    sorted.resize(size);
    std::uint32_t* const next = begins.data();
    SiteBases* const own = sorted.data();
    std::uint32_t* const site = index_.site.data() + to;
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t at = next[rest(i)]++;
      own[at] = entries[i].bases;
      site[at] = entries[i].site;
    }
    make_planes(sorted.data(), size, to, isa, index_);
  }

  const std::span<const SiteBases> sites_;
  Parts& parts_;
  Index& index_;
  const KeyOf key_;
  const std::uint32_t shift_;
  std::vector<std::uint32_t> begins_;  // of each part in Parts
};

}  // namespace

void build_index(std::span<const SiteBases> sites, std::uint32_t first, std::uint32_t q, std::uint32_t bases, Isa isa,
                 const GuideFinder::Loop& loop, Parts& parts, Index& index) {
  index.built = true;
  index.q = q;
  index.first = first;
  index.bases = bases;
  if (q == 0) return build_one_bucket(sites, isa, loop, index);
  Builder(sites, parts, index).build(isa, loop);
}

}  // namespace basesweep::buckets
