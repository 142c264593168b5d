#include "lib/products/primer_sides.hpp"

#include <fmt/format.h>

#include <cctype>
#include <unordered_map>

#include "lib/base/error.hpp"
#include "lib/reader/primer_role.hpp"

namespace basesweep {
namespace {

// Whether the name ends in a digit and this letter, in either case: "806R".
bool ends_in(const std::string& name, char letter) {
  return name.size() > 1 && std::tolower(static_cast<unsigned char>(name.back())) == letter &&
         std::isdigit(static_cast<unsigned char>(name[name.size() - 2])) != 0;
}

[[noreturn]] void fail(const std::string& path, std::size_t line, const std::string& what) {
  throw DataError(fmt::format("{}: line {}: {}", path, line, what));
}

struct Member {
  const LonePrimer* primer;
  std::string variant;
};

struct Group {
  std::string name;
  std::vector<Member> forward;
  std::vector<Member> reverse;
};

// A pair of a group. Where a side has alternatives, both variants appear in the pair's name.
PrimerPair make_pair_of(const Group& group, const Member& left, const Member& right, const std::string& path) {
  const bool several = group.forward.size() > 1 || group.reverse.size() > 1;
  PrimerPair pair;
  pair.name = several ? fmt::format("{}/{}/{}", group.name, left.variant, right.variant) : group.name;
  pair.forward = left.primer->sequence;
  pair.reverse = right.primer->sequence;
  pair.forward_name = left.primer->name;
  pair.reverse_name = right.primer->name;
  pair.pool = left.primer->pool;
  pair.file = path;
  pair.line = left.primer->line;
  pair.reverse_line = right.primer->line;
  return pair;
}

// The pair of two primers whose names say nothing of it: the forward one is first, unless they end as in 806R and 515F.
PrimerPair pair_of_two(const std::string& path, const LonePrimer& first, const LonePrimer& second) {
  const bool turned = ends_in(first.name, 'r') && ends_in(second.name, 'f');
  const LonePrimer& left = turned ? second : first;
  const LonePrimer& right = turned ? first : second;
  Group group{fmt::format("{}/{}", left.name, right.name), {}, {}};
  return make_pair_of(group, {&left, ""}, {&right, ""}, path);
}

}  // namespace

std::vector<PrimerPair> pair_up(const std::string& path, const std::vector<LonePrimer>& primers) {
  if (primers.size() == 2 && primers[0].name != primers[1].name && primer_role(primers[0].name).pair.empty() &&
      primer_role(primers[1].name).pair.empty()) {
    return {pair_of_two(path, primers[0], primers[1])};
  }
  std::vector<Group> groups;
  std::unordered_map<std::string, std::size_t> by_name;
  std::unordered_map<std::string, std::size_t> lines;
  for (const LonePrimer& primer : primers) {
    const auto [known, fresh] = lines.try_emplace(primer.name, primer.line);
    if (!fresh)
      fail(path, primer.line, fmt::format("primer '{}': the name is used in line {} too", primer.name, known->second));
    const PrimerRole role = primer_role(primer.name);
    if (role.pair.empty()) {
      fail(path, primer.line,
           fmt::format(
               "primer '{}': expected a name that ends in _F or _R, _L or _R, _LEFT or _RIGHT, _fwd or _rev, /1 or /2, "
               "which says its pair and its side; two primers alone are a pair",
               primer.name));
    }
    const auto [place, first] = by_name.try_emplace(role.pair, groups.size());
    if (first) groups.push_back({role.pair, {}, {}});
    Group& group = groups[place->second];
    std::vector<Member>& side = role.forward ? group.forward : group.reverse;
    if (!side.empty() && (role.variant.empty() || side.back().variant.empty())) {
      fail(path, primer.line,
           fmt::format("primer '{}': pair '{}' already has the {} primer '{}'", primer.name, role.pair,
                       role.forward ? "forward" : "reverse", side.back().primer->name));
    }
    side.push_back({&primer, role.variant});
  }
  std::vector<PrimerPair> pairs;
  for (const Group& group : groups) {
    if (group.forward.empty() || group.reverse.empty()) {
      const LonePrimer& lone = *(group.forward.empty() ? group.reverse : group.forward).front().primer;
      fail(path, lone.line,
           fmt::format("primer '{}' has no partner: the pair '{}' lacks a {} primer", lone.name, group.name,
                       group.forward.empty() ? "forward" : "reverse"));
    }
    for (const Member& left : group.forward) {
      for (const Member& right : group.reverse) {
        if (left.primer->pool != right.primer->pool) {
          fail(path, right.primer->line,
               fmt::format("primers '{}' and '{}' of one pair are in different pools, {} and {}", left.primer->name,
                           right.primer->name, left.primer->pool, right.primer->pool));
        }
        pairs.push_back(make_pair_of(group, left, right, path));
      }
    }
  }
  return pairs;
}

}  // namespace basesweep
