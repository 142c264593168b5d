// Measurements of `basesweep bench` in memory: reads that are sorted, trimmed and counted.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "lib/counting/guide_lookup.hpp"
#include "lib/demux/barcode_caller.hpp"
#include "lib/reads/read_list.hpp"
#include "lib/structure/whitelist.hpp"
#include "lib/trim/trimmer.hpp"
#include "lib/writer/read_writer.hpp"
#include "tools/bench/support.hpp"

namespace basesweep {
namespace {

constexpr const char* kBases = "ACGT";
constexpr std::size_t kListed = 737'280;  // barcodes of a kit for single cells
constexpr std::size_t kBarcodeLength = 16;
constexpr const char* kAdapter = "AGATCGGAAGAGCACACGTCTGAACTCCAGTCAC";

// Random numbers that depend on the seed alone.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t end) { return engine_() % end; }
  std::string bases(std::size_t length) {
    std::string bases(length, 'A');
    for (char& base : bases) base = kBases[below(4)];
    return bases;
  }

 private:
  std::mt19937_64 engine_;
};

// A row, made and measured in two steps. run() returns what was found.
struct Work {
  double bases = 0;  // of the reads
  std::function<std::uint64_t()> run;
};

std::vector<std::string_view> views(const std::vector<std::string>& texts) { return {texts.begin(), texts.end()}; }

double bases_of(const std::vector<std::string>& reads) {
  double bases = 0;
  for (const std::string& read : reads) bases += static_cast<double>(read.size());
  return bases;
}

std::string put_mismatch(Random& random, std::string text) {
  text[random.below(text.size())] = kBases[random.below(4)];
  return text;
}

// Half of the reads begin with a barcode and its flanks, a tenth of whose bases differ.
Work demux_work(std::size_t reads) {
  Random random(1);
  std::vector<Barcode> barcodes;
  std::vector<SampleBarcodes> samples;
  const std::string left = random.bases(20), right = random.bases(20);
  for (std::uint32_t i = 0; i < 96; ++i) {
    barcodes.push_back({left, random.bases(24), right, 19});
    samples.push_back({i});
  }
  const auto texts = std::make_shared<std::vector<std::string>>();
  for (std::size_t i = 0; i < reads; ++i) {
    std::string read = random.bases(random.below(40));
    if (i % 2 == 0) {
      std::string barcode = pattern_of(barcodes[random.below(barcodes.size())], 20);
      for (int edit = 0; edit < 6; ++edit) barcode = put_mismatch(random, std::move(barcode));
      read += barcode;
    }
    texts->push_back(read + random.bases(400));
  }
  const auto set = std::make_shared<BarcodeSet>(barcodes, 20, [](const FlankedBarcodes& patterns) {
    return make_barcode_scorer(patterns, {{.device = Device::cpu}});
  });
  const auto caller = std::make_shared<BarcodeCaller>(*set, nullptr, samples, SampleCallOptions());
  return {bases_of(*texts), [texts, set, caller] {
            std::uint64_t found = 0;
            for (const SampleCall& call : caller->call_reads(views(*texts)))
              found += call.sample == SampleCall::kNoSample ? 0 : 1;
            return found;
          }};
}

// Reads of 100 bases, of which a tenth end in an adapter, from FASTQ to FASTQ.
Work trim_work(std::size_t reads) {
  Random random(2);
  auto block = std::make_shared<RawBlock>();
  block->format = Format::fastq;
  double bases = 0;
  for (std::size_t i = 0; i < reads; ++i) {
    std::string read = random.bases(100);
    if (i % 10 == 0) read = (read.substr(0, random.below(100)) + kAdapter + read).substr(0, 100);
    const auto at = [&block] { return static_cast<std::uint32_t>(block->bytes.size()); };
    const auto add = [&block](std::string_view text) {
      block->bytes.insert(block->bytes.end(), text.begin(), text.end());
    };
    RecordText record{};
    record.title_begin = at();
    add("@");
    record.name_begin = at();
    add(fmt::format("read{}", i));
    record.name_end = at();
    add("\n");
    record.sequence_begin = at();
    add(read);
    record.sequence_end = at();
    add("\n+\n");
    record.quality_begin = at();
    add(std::string(read.size(), 'F'));
    record.quality_end = at();
    add("\n");
    block->records.push_back(record);
    bases += static_cast<double>(read.size());
  }
  block->size = block->bytes.size();
  TrimSettings settings;
  settings.mates[0].adapters = std::make_shared<const AdapterSet>(
      std::vector<Adapter>{parse_adapter(kAdapter, AdapterKind::three_prime, AdapterDefaults())});
  const auto trimmer = std::make_shared<Trimmer>(std::move(settings));
  return {bases, [block, trimmer] {
            RawReads raw;
            raw.first = {{block, 0, block->records.size()}};
            raw.paths = {"<memory>"};
            const ReadList list = list_reads(std::move(raw), false);
            const ProcessedReads processed = trimmer->process(list);
            const ReadWriter writer(OutputFormat::fastq, false);
            Text text;
            std::uint64_t cut = 0;
            for (std::size_t i = 0; i < list.reads.size(); ++i) {
              writer.append(list, list.reads[i], processed.written[i], 0, text);
              cut += processed.written[i].end < list.reads[i].bases.size() ? 1 : 0;
            }
            return cut;
          }};
}

// Reads of a screen: up to 7 bases, a guide, and what follows it. A tenth has a mismatch.
Work count_work(std::size_t reads, std::uint32_t edits) {
  Random random(3);
  std::vector<std::string> guides;
  for (int i = 0; i < 10'000; ++i) guides.push_back(random.bases(20));
  std::sort(guides.begin(), guides.end());
  guides.erase(std::unique(guides.begin(), guides.end()), guides.end());
  const auto texts = std::make_shared<std::vector<std::string>>();
  for (std::size_t i = 0; i < reads; ++i) {
    std::string guide = guides[random.below(guides.size())];
    if (i % 10 == 0) guide = put_mismatch(random, std::move(guide));
    texts->push_back(random.bases(random.below(8)) + guide + random.bases(30));
  }
  const auto lookup = std::make_shared<GuideLookup>(guides, GuideLookupOptions{.edits = edits});
  return {bases_of(*texts), [texts, lookup] {
            const StrandWindows windows{StartWindow{0, 7}, StartWindow{0, 7}};
            const std::vector<std::string_view> views(texts->begin(), texts->end());
            std::vector<GuideCall> calls(views.size());
            lookup->find(views, windows, calls);
            const auto is_found = [](const GuideCall& call) { return call.guide < GuideCall::kSeveral; };
            return static_cast<std::uint64_t>(std::count_if(calls.begin(), calls.end(), is_found));
          }};
}

// Barcodes of a list, a tenth of them with a mismatch.
Work whitelist_work(std::size_t reads) {
  Random random(4);
  std::string text;
  for (std::size_t i = 0; i < kListed; ++i) text += random.bases(kBarcodeLength) + '\n';
  const auto list = std::make_shared<Whitelist>(Whitelist::parse(text, "<list>", 1));
  const auto texts = std::make_shared<std::vector<std::string>>();
  for (std::size_t i = 0; i < reads; ++i) {
    const std::string barcode = text.substr(random.below(kListed) * (kBarcodeLength + 1), kBarcodeLength);
    texts->push_back(i % 10 == 0 ? put_mismatch(random, barcode) : barcode);
  }
  return {bases_of(*texts), [list, texts] {
            const BarcodeCorrector corrector(*list, nullptr);
            std::uint64_t found = 0;
            for (const std::string& barcode : *texts)
              found += corrector.match(barcode, {}).number == Whitelist::kNone ? 0 : 1;
            return found;
          }};
}

struct Case {
  const char* name;
  std::size_t reads;  // of a quick run a tenth
  Work (*make)(std::size_t reads);
};
constexpr std::array kCases{
    Case{"demux 96 barcodes context 20", 20'000, demux_work}, Case{"trim adapter FASTQ", 200'000, trim_work},
    Case{"count 10000 guides exact", 1'000'000, [](std::size_t reads) { return count_work(reads, 0); }},
    Case{"count 10000 guides 1 mismatch", 1'000'000, [](std::size_t reads) { return count_work(reads, 1); }},
    Case{"whitelist 737280 barcodes", 1'000'000, whitelist_work}};

bool wanted(const BenchOptions& o, const Case& c) { return std::string_view(c.name).find(o.only) != std::string::npos; }

}  // namespace

bool any_read_row(const BenchOptions& o) {
  return std::any_of(kCases.begin(), kCases.end(), [&o](const Case& c) { return wanted(o, c); });
}

void bench_reads(const BenchOptions& o, BenchRecord& record) {
  record.begin("reads", fmt::format("Reads on the CPU, 1 thread, {}; random reads in memory, median; rates count bases "
                                    "of reads",
                                    to_string(best_isa())));
  for (const Case& c : kCases) {
    if (!wanted(o, c)) continue;
    const std::size_t reads = o.quick ? c.reads / 10 : c.reads;
    const Work work = c.make(reads);
    std::vector<double> times;
    std::uint64_t found = 0;
    for (int run = 0; run < (o.quick ? 3 : 5); ++run) {
      const auto start = BenchClock::now();
      found = work.run();
      times.push_back(seconds_since(start));
    }
    const double seconds = median(std::move(times));
    record.add({c.name, "in memory", work.bases, seconds,
                fmt::format("{} of {} reads; {:.2f} million reads a second", found, reads,
                            static_cast<double>(reads) / seconds / 1e6)});
  }
}

}  // namespace basesweep
