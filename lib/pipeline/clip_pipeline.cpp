#include "lib/pipeline/clip_pipeline.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "lib/base/error.hpp"
#include "lib/pipeline/stream.hpp"

namespace basesweep {
namespace {

namespace flow = tbb::flow;

constexpr std::size_t kBatchBytes = std::size_t{1} << 19;

// Whole records on their way through the graph.
struct Records {
  std::uint64_t number = 0;
  std::uint64_t before = 0;  // records of the input before these
  std::string bytes;
  Text text;
  ClipCounts counts;
  std::exception_ptr error;  // comes after these records
};
using RecordsPtr = std::shared_ptr<Records>;

std::size_t size_at(std::string_view bytes) {
  std::int32_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  return sizeof size + static_cast<std::size_t>(size);
}

// Cuts the bytes of a file into batches of whole records.
class RecordsReader {
 public:
  explicit RecordsReader(InputFile& file) : file_(file) {}

  // The next records; null at the end of the file.
  RecordsPtr next() {
    auto records = std::make_shared<Records>();
    std::string& bytes = records->bytes;
    bytes = std::move(rest_);
    std::size_t whole = 0;
    std::uint64_t count = 0;
    for (bool more = true; more && whole < kBatchBytes;) {
      const std::size_t size = bytes.size();
      bytes.resize(size + kBatchBytes);
      const std::size_t got = file_.read(bytes.data() + size, kBatchBytes);
      bytes.resize(size + got);
      more = got > 0;
      while (bytes.size() - whole >= sizeof(std::int32_t)) {
        const std::size_t next = size_at(std::string_view(bytes).substr(whole));
        if (next > bytes.size() - whole) break;
        whole += next;
        ++count;
      }
    }
    if (whole == 0) return nullptr;
    rest_.assign(bytes, whole);
    bytes.resize(whole);
    records->number = number_++;
    records->before = std::exchange(count_, count_ + count);
    return records;
  }

 private:
  InputFile& file_;
  std::string rest_;
  std::uint64_t number_ = 0;
  std::uint64_t count_ = 0;
};

class ClipPipeline {
 public:
  ClipPipeline(const ClipRunOptions& options, InputFile& file, const PrimerClipper& clipper, ByteSink& sink)
      : options_(options),
        file_(file),
        clipper_(clipper),
        sink_(sink),
        counts_(clipper.counts()),
        stream_(options.threads, 2 * options.threads + 4, options.progress) {}

  bool broken() const { return stream_.broken(); }

  ClipCounts run() {
    stream_.build([this](flow::graph& graph) { build(graph); });
    RecordsReader reader(file_);
    const auto next = [&reader]() -> std::optional<RecordsPtr> {
      RecordsPtr records = reader.next();
      if (!records) return std::nullopt;
      return records;
    };
    const std::exception_ptr source_error = stream_.read(
        next, [this](RecordsPtr&& records) { stream_.put(*clip_, std::move(records)); }, [] { return false; });
    stream_.wait();
    if (source_error) stream_.fail(source_error);
    stream_.rethrow();
    return counts_;
  }

 private:
  void build(flow::graph& g) {
    clip_.emplace(g, flow::unlimited, [this](const RecordsPtr& records) {
      stream_.guarded([&] { clip(*records); });
      return records;
    });
    order_.emplace(g, [](const RecordsPtr& records) { return records->number; });
    write_.emplace(g, flow::serial, [this](const RecordsPtr& records) { return write(*records); });
    flow::make_edge(*clip_, *order_);
    flow::make_edge(*order_, *write_);
  }

  void clip(Records& records) const {
    records.counts = clipper_.counts();
    std::string clipped;
    clipped.reserve(records.bytes.size());
    for (std::string_view rest = records.bytes; !rest.empty(); rest.remove_prefix(size_at(rest))) {
      try {
        clipper_.clip(rest.substr(0, size_at(rest)), clipped, records.counts);
      } catch (const std::runtime_error& fault) {
        const std::uint64_t number = records.before + records.counts.alignments + 1;
        records.error = std::make_exception_ptr(
            DataError(fmt::format("{}: record {} is damaged: {}", file_.path(), number, fault.what())));
        break;
      }
    }
    if (options_.lines != nullptr) {
      options_.lines->append(clipped, records.text);
    } else {
      records.text.append(clipped);
    }
    records.bytes = std::string();
  }

  flow::continue_msg write(Records& records) {
    stream_.guarded([&] {
      if (!records.text.view().empty()) sink_.write(records.text.view());
      counts_.add(records.counts);
      stream_.progress().bases = static_cast<std::int64_t>(counts_.bases);
      stream_.progress().hits = static_cast<std::int64_t>(counts_.alignments);
      if (records.error) std::rethrow_exception(records.error);
    });
    stream_.release(1);
    return {};
  }

  const ClipRunOptions& options_;
  InputFile& file_;
  const PrimerClipper& clipper_;
  ByteSink& sink_;
  ClipCounts counts_;

  Stream stream_;
  std::optional<Node<RecordsPtr, RecordsPtr>> clip_;
  std::optional<Order<RecordsPtr>> order_;
  std::optional<Node<RecordsPtr>> write_;
};

}  // namespace

ClipCounts clip_primers(const ClipRunOptions& options, InputFile& file, const PrimerClipper& clipper, ByteSink& sink) {
  return run_pipeline_of<ClipPipeline>(options, file, clipper, sink);
}

}  // namespace basesweep
