#include "tests/differ/way.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "kernels/registry/tuned.hpp"
#include "lib/api/batch_sink.hpp"
#include "lib/api/memory_source.hpp"
#include "lib/api/search_hits.hpp"
#include "lib/parts/plan.hpp"
#include "lib/pipeline/pipeline.hpp"
#include "lib/reader/reader.hpp"
#include "lib/rows/hit_rows.hpp"
#include "lib/search/make_matcher.hpp"
#include "tests/differ/fast_search.hpp"
#include "tests/support/circles.hpp"

namespace differ {

using namespace basesweep;

namespace {

bool chooses_best(const Job& job) {
  return job.approximate &&
         (job.question.report == oracle::Report::best || job.question.report == oracle::Report::best_per_record);
}

// All answers of the oracle in the regions, without the choice of the best.
std::optional<std::vector<oracle::ApproximateHit>> all_hits(const Job& job, std::size_t most, bool plain) {
  std::vector<oracle::ApproximateHit> hits;
  if (job.approximate) {
    oracle::ApproximateQuestion question = job.question;
    if (chooses_best(job)) question.report = oracle::Report::sites;
    auto found = plain ? std::optional(oracle::search(question)) : fast_search(question, most);
    if (!found) return std::nullopt;
    hits = std::move(*found);
  } else {
    const auto found =
        plain ? std::optional(oracle::search(job.question.exact)) : fast_search(job.question.exact, most);
    if (!found) return std::nullopt;
    for (const oracle::Hit& hit : *found) {
      hits.push_back({hit.record, hit.start, hit.end, hit.strand, hit.pattern, 0, 0});
    }
  }
  if (!job.regions.empty()) {
    std::erase_if(hits, [&](const auto& hit) { return !support::is_inside(job.regions, hit.record, hit.start); });
  }
  return hits;
}

Answers to_answers(const Job& job, const std::vector<oracle::ApproximateHit>& hits) {
  Answers answers;
  for (const oracle::ApproximateHit& hit : hits) {
    const auto [first, last] = part_inside(job.question, hit);
    answers.push_back({hit.record, hit.start, hit.end, hit.pattern, hit.strand, hit.edits, hit.indels, first, last,
                       hit.best, hit.next_edits});
  }
  return answers;
}

void drop_overlaps(const Job& job, Answers& answers) {
  std::vector<oracle::Hit> hits;
  for (const Answer& a : answers) hits.push_back({a.record, a.start, a.end, a.strand, a.pattern});
  const std::vector<oracle::Hit> kept = oracle::without_overlaps(job.question.exact, hits);
  // Both lists are in order; of hits with one interval that hang over differently, the first is kept.
  std::size_t next = 0;
  std::erase_if(answers, [&](const Answer& a) {
    const bool keep = next < kept.size() && oracle::Hit{a.record, a.start, a.end, a.strand, a.pattern} == kept[next];
    if (keep) ++next;
    return !keep;
  });
}

Answers counts_of(const Job& job, const Answers& answers) {
  std::map<std::pair<std::size_t, char>, std::uint64_t> counts;
  for (const Answer& a : answers) ++counts[{a.pattern, a.strand}];
  Answers all;
  for (std::size_t p = 0; p < job.patterns.size(); ++p) {
    for (const char strand : {'+', '-'}) {
      const bool searched =
          job.approximate ? is_searched(job.question, p, strand) : is_searched(job.question.exact, p, strand);
      if (!searched) continue;
      Answer count{.pattern = p, .strand = strand, .count = counts[{p, strand}]};
      all.push_back(count);
    }
  }
  return all;
}

// The records as a source of blocks, from memory or from a file.
class Text {
 public:
  Text(const Job& job, const Way& way, const std::string& path) : job_(job), way_(way), path_(path) {
    const std::vector<std::string>& records = job.question.exact.records;
    for (std::size_t r = 0; r < records.size(); ++r) {
      names_.push_back(trial::record_name(r));
      if (records[r].empty()) continue;
      with_bases_.push_back(static_cast<std::int64_t>(r));
      infos_.push_back({names_.back(), static_cast<std::int64_t>(records[r].size())});
    }
    for (std::size_t r = 0; r < records.size(); ++r) sequences_.push_back({names_[r], records[r]});
    if (way.file) support::write_file(path, trial::fasta_text(records, way.lines), way.packing);
  }

  std::unique_ptr<BlockSource> source() const {
    if (!way_.file) return std::make_unique<MemorySource>(sequences_, way_.block_bytes);
    ReaderOptions options;
    options.paths = {path_};
    options.block_bytes = way_.block_bytes;
    options.threads = way_.threads;
    return std::make_unique<Reader>(options);
  }
  const std::vector<RecordInfo>& infos() const { return infos_; }
  std::int64_t record(std::int64_t number) const { return with_bases_.at(static_cast<std::size_t>(number)); }

 private:
  const Job& job_;
  const Way& way_;
  const std::string path_;
  std::vector<std::string> names_;
  std::vector<NamedSequence> sequences_;
  std::vector<RecordInfo> infos_;
  std::vector<std::int64_t> with_bases_;
};

// The runs of one job and way: the whole, or one for each chunk.
class Runner {
 public:
  Runner(const Job& job, const Way& way, const std::string& path)
      : job_(job), way_(way), text_(job, way, path), set_(pattern_set(job)) {
    const support::Target& target = target_of(job, way);
    isa_ = target.isa;
    const bool may_count = way.counts && !job.approximate && !job.non_overlapping && job.regions.empty() &&
                           job.question.exact.circular.empty();
    MatcherOptions options;
    options.algorithm = target.algorithm;
    options.device = target.device;
    options.isa = target.isa;
    options.output = may_count ? Output::counts : Output::occurrences;
    matcher_ = make_matcher(set_, options, target.tuning);
  }

  // Calls take(hit, record) for each hit.
  template <class Take>
  Answers run(bool texts, Take take) {
    const RegionSet regions = support::region_set(job_.regions, job_.question.exact.records, job_.planned);
    if (way_.chunks == 0) return run_part(job_.regions.empty() ? nullptr : &regions, texts, take);
    const RegionSet named = support::region_set(job_.regions, job_.question.exact.records, false);
    const Plan plan = plan_bases(text_.infos(), job_.regions.empty() ? nullptr : &named, way_.chunks);
    for (std::uint32_t chunk = 1; chunk <= plan.chunks; ++chunk) {
      const RegionSet part = plan.regions_of(chunk);
      run_part(&part, texts, take);
    }
    return {};
  }

 private:
  template <class Take>
  Answers run_part(const RegionSet* regions, bool texts, Take take) {
    const bool whole = way_.chunks == 0;
    PipelineOptions options;
    options.packer = {.isa = isa_, .soft_masked = job_.question.exact.skip_soft_masked};
    options.report = static_cast<Report>(job_.question.report);
    if (!whole && chooses_best(job_)) options.report = Report::sites;
    options.select = {.best = options.report == Report::best,
                      .non_overlapping = whole && job_.non_overlapping,
                      .max_hits = whole && !way_.counts ? job_.max_hits : std::nullopt,
                      .best_per_record = options.report == Report::best_per_record,
                      .patterns_compete = job_.question.patterns_compete};
    if (!job_.approximate) options.report = Report::sites;
    options.waiting_bytes = way_.waiting_bytes.value_or(options.waiting_bytes);
    options.regions = regions;
    options.circular = support::circular_records(job_.question.exact.circular);
    options.circular_known = regions != nullptr && regions->planned();
    options.threads = way_.threads;
    options.batch_positions = way_.batch_positions;
    SearchOptions asked;
    asked.alignments = texts;
    if (set_.overhangs()) asked.overhang_5prime = asked.overhang_3prime = 1;  // for its columns
    if (options.report == Report::best_per_record) asked.report = SearchOptions::Report::best_per_record;
    const CellFormatter cells(
        std::make_shared<HitRows>(
            set_, HitRowOptions{.standing = options.report == Report::best_per_record, .edits_of_exact = true}),
        hit_columns(asked, set_.approximate()));
    const TakeBatch take_batch = [&](const Batch& batch) {
      give_hits(batch, [&](const SearchHit& hit) { take(hit, text_.record(hit.record)); });
    };
    BatchSink sink(cells, {}, take_batch);
    PipelineOutput output;
    output.spool_directory = "/tmp";
    if (!way_.counts) {
      output.formatter = &cells;
      output.sink = &sink;
    }
    const std::unique_ptr<BlockSource> source = text_.source();
    const RunSummary summary = run_pipeline(options, *source, set_, *matcher_, output);
    if (!way_.counts) sink.finish();
    Answers counts;
    if (!way_.counts) return counts;
    for (std::size_t q = 0; q < set_.queries().size(); ++q) {
      const Query& query = set_.queries()[q];
      counts.push_back(
          {.pattern = query.pattern, .strand = strand_letter(query.strand), .count = summary.counts.at(q)});
    }
    std::sort(counts.begin(), counts.end(), [](const Answer& a, const Answer& b) {
      return std::pair(a.pattern, a.strand) < std::pair(b.pattern, b.strand);
    });
    return counts;
  }

  const Job& job_;
  const Way& way_;
  const Text text_;
  const PatternSet set_;
  Isa isa_{};
  std::unique_ptr<Matcher> matcher_;
};

Answer to_answer(const Job& job, const SearchHit& hit, std::int64_t record, bool whole) {
  Answer answer{record,    hit.start,  hit.end,           hit.pattern,    hit.strand,
                hit.edits, hit.indels, hit.pattern_start, hit.pattern_end};
  if (whole && job.question.report == oracle::Report::best_per_record) {
    answer.best = hit.best;
    answer.next = hit.next_edits;
  }
  return answer;
}

}  // namespace

Way random_way(trial::Random& random, const Job& job, Size size) {
  Way way;
  const std::size_t all = bases(job);
  way.target = random.bits();
  way.threads = random.chance(60) ? 1 : static_cast<int>(random.between(2, 4));
  const bool tiny = size == Size::small && all < 2000;
  // Most runs need few blocks: with many, the threads wait for each other more than they search.
  way.block_bytes = random.between(all / 5 + 20, 2 * all + 20);
  if (random.chance(20)) way.block_bytes = tiny ? random.between(1, 100) : random.between(all / 50 + 1, all / 5 + 1);
  if (size == Size::large) way.block_bytes = random.between(1U << 16, 1U << 22);
  if (!random.chance(25)) {
    const std::size_t least = tiny ? 1 : std::max<std::size_t>(64, all / 20);
    way.batch_positions =
        static_cast<std::uint32_t>(random.between(least, random.chance(50) ? 2 * least : 2 * all + least));
  }
  if (random.chance(30)) way.waiting_bytes = random.below(400);
  way.counts = random.chance(15);
  if (!way.counts && size != Size::large && random.chance(15)) {
    way.chunks = static_cast<std::uint32_t>(random.between(1, 6));
  }
  way.file = size != Size::large && random.chance(10);
  way.packing = random.pick(std::vector{support::Packing::plain, support::Packing::gzip, support::Packing::bgzf});
  way.lines = trial::random_cuts(random, 1000);
  return way;
}

std::optional<Expected> expected_answers(const Job& job, std::size_t most, bool plain) {
  auto hits = all_hits(job, most, plain);
  if (!hits) return std::nullopt;
  Expected expected;
  expected.all = to_answers(job, *hits);
  if (chooses_best(job) && plain && job.regions.empty()) {
    hits = oracle::search(job.question);
  } else if (job.approximate) {
    choose(job.question, *hits);
  }
  expected.chosen = to_answers(job, *hits);
  if (job.non_overlapping) drop_overlaps(job, expected.chosen);
  expected.counts = counts_of(job, expected.chosen);
  if (job.max_hits && expected.chosen.size() > *job.max_hits) expected.chosen.resize(*job.max_hits);
  return expected;
}

const Answers& answers_of(const Expected& expected, const Way& way) {
  if (way.chunks != 0) return expected.all;
  return way.counts ? expected.counts : expected.chosen;
}

const support::Target& target_of(const Job& job, const Way& way) {
  const auto& targets = job.approximate ? support::approximate_targets() : support::targets();
  return targets[way.target % targets.size()];
}

Answers run(const Job& job, const Way& way, const std::string& folder) {
  Answers answers;
  Answers counts = Runner(job, way, folder + "/text").run(false, [&](const SearchHit& hit, std::int64_t record) {
    answers.push_back(to_answer(job, hit, record, way.chunks == 0));
  });
  return way.counts ? counts : answers;
}

std::string check_texts(const Job& job, const Way& way) {
  Way plain = way;
  plain.file = plain.counts = false;
  std::string fault;
  int left = 5;
  Runner(job, plain, "").run(true, [&](const SearchHit& hit, std::int64_t record) {
    const oracle::Question& exact = job.question.exact;
    const std::string& pattern = exact.patterns[hit.pattern];
    if (!fault.empty() || hit.edits > 3 || pattern.size() > 40 || left == 0) return;
    --left;
    const bool plus = hit.strand == '+';
    const std::size_t behind = pattern.size() - hit.pattern_end;
    oracle::ApproximateHit like{record, hit.start, hit.end, hit.strand, hit.pattern, hit.edits, hit.indels};
    like.hang_left = plus ? hit.pattern_start : behind;
    like.hang_right = plus ? behind : hit.pattern_start;
    const std::string text = oracle::matched_text(exact, record, hit.start, hit.end, hit.strand);
    const std::string cigar = job.approximate ? oracle::cigar(job.question, like) : fmt::format("{}=", pattern.size());
    if (hit.text != text || hit.cigar != cigar) {
      fault = fmt::format("{}\nfound text {} and CIGAR {}, expected {} and {}",
                          to_string({to_answer(job, hit, record, true)}), hit.text, hit.cigar, text, cigar);
    }
  });
  return fault;
}

std::string to_string(const Answers& answers) {
  std::string text;
  for (const Answer& a : answers) {
    text +=
        fmt::format("r{}\t{}\t{}\tp{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", a.record, a.start, a.end, a.pattern, a.strand,
                    a.edits, a.indels, a.first, a.last, a.best, a.next ? std::to_string(*a.next) : ".", a.count);
  }
  return text;
}

}  // namespace differ
