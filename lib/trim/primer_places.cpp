#include "lib/trim/primer_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "lib/base/cigar_codes.hpp"
#include "lib/base/error.hpp"

namespace basesweep {
namespace {

// Clips the first operations, up to base `to` of the reference and on to the next aligned base. Returns the base at
// which the rest begins.
std::int64_t clip_front(std::int64_t begin, std::int64_t to, std::vector<std::uint32_t>& cigar) {
  std::vector<std::uint32_t> clipped;
  std::size_t i = 0;
  while (i < cigar.size() && op_of(cigar[i]) == 'H') clipped.push_back(cigar[i++]);
  std::uint32_t soft = 0;
  std::uint32_t rest = 0;  // of the operation that is cut in two
  for (; i < cigar.size(); ++i) {
    const char op = op_of(cigar[i]);
    const std::uint32_t length = length_of(cigar[i]);
    if (op == 'H') break;
    if (is_aligned_op(op)) {
      const auto taken = static_cast<std::uint32_t>(std::clamp<std::int64_t>(to - begin, 0, length));
      soft += taken;
      begin += taken;
      rest = length - taken;
      if (rest > 0) break;
    } else if (takes_reference(op)) {
      begin += length;
    } else if (op != 'P') {
      soft += length;  // I, S
    }
  }
  if (soft > 0) clipped.push_back(cigar_code_of(soft, 'S'));
  if (rest > 0) clipped.push_back(cigar_code_of(rest, op_of(cigar[i++])));
  clipped.insert(clipped.end(), cigar.begin() + static_cast<std::ptrdiff_t>(i), cigar.end());
  cigar = std::move(clipped);
  return begin;
}

}  // namespace

std::int64_t AlignedPart::end() const {
  std::int64_t at = begin;
  for (const std::uint32_t code : cigar) at += takes_reference(op_of(code)) ? length_of(code) : 0;
  return at;
}

bool AlignedPart::has_bases() const {
  return std::any_of(cigar.begin(), cigar.end(),
                     [](std::uint32_t code) { return is_aligned_op(op_of(code)) && length_of(code) > 0; });
}

PrimerPlaces::PrimerPlaces(const PrimerScheme& scheme, std::span<const RecordInfo> references, std::uint32_t tolerance)
    : tolerance_(tolerance), sides_(2 * references.size()) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (std::size_t i = 0; i < references.size(); ++i) numbers.try_emplace(references[i].name, i);
  bool has_record = false;
  for (std::size_t i = 0; i < scheme.primers.size(); ++i) {
    const SchemePrimer& primer = scheme.primers[i];
    const auto number = numbers.find(primer.record);
    if (number == numbers.end()) continue;
    has_record = true;
    if (primer.end > references[number->second].length) {
      throw DataError(fmt::format("{}: line {}: primer '{}' ends at {}, but '{}' has {} bases in the alignments",
                                  scheme.path, primer.line, primer.name, primer.end, primer.record,
                                  references[number->second].length));
    }
    Side& side = sides_[2 * number->second + (primer.forward ? 0 : 1)];
    const auto index = static_cast<std::uint32_t>(i);
    side.places.push_back(primer.forward ? Place{primer.begin, primer.end, index}
                                         : Place{-primer.end, -primer.begin, index});
    side.longest = std::max(side.longest, primer.end - primer.begin);
  }
  if (!has_record) {
    throw DataError(fmt::format("{}: its primers are on '{}', but the alignments have no such record (they have {})",
                                scheme.path, scheme.primers.front().record,
                                references.empty() ? "none" : "'" + references.front().name + "'"));
  }
  for (Side& side : sides_) {
    std::stable_sort(side.places.begin(), side.places.end(),
                     [](const Place& a, const Place& b) { return a.begin < b.begin; });
  }
}

// The primer that an alignment with this begin loses; null: none.
const PrimerPlaces::Place* PrimerPlaces::find(const Side& side, std::int64_t begin) const {
  const auto before = [](const Place& place, std::int64_t at) { return place.begin < at; };
  auto place = std::lower_bound(side.places.begin(), side.places.end(), begin - side.longest, before);
  const Place* found = nullptr;
  for (; place != side.places.end() && place->begin <= begin + tolerance_; ++place) {
    if (begin < place->end && (found == nullptr || place->end > found->end)) found = &*place;
  }
  return found;
}

LostPrimers PrimerPlaces::clip(std::int32_t reference, AlignedPart& part) const {
  const std::size_t sides = 2 * static_cast<std::size_t>(reference);
  LostPrimers lost;
  const Place* const left = find(sides_[sides], part.begin);
  const Place* const right = find(sides_[sides + 1], -part.end());
  if (left != nullptr) {
    lost.left = left->primer;
    part.begin = clip_front(part.begin, left->end, part.cigar);
  }
  if (right != nullptr && part.has_bases()) {
    lost.right = right->primer;
    std::reverse(part.cigar.begin(), part.cigar.end());
    clip_front(-part.end(), right->end, part.cigar);
    std::reverse(part.cigar.begin(), part.cigar.end());
  }
  return lost;
}

}  // namespace basesweep
