#include "kernels/reads/cuda_finder.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "kernels/cuda/uploaded_array.hpp"
#include "kernels/cuda/windows.cuh"
#include "kernels/reads/candidate_windows.cuh"
#include "kernels/reads/device_reads.cuh"
#include "kernels/reads/end_list.cuh"
#include "kernels/reads/read_order.hpp"
#include "kernels/reads/resident_reference.cuh"
#include "lib/base/error.hpp"

namespace basesweep::cuda {

// Searches for one batch at a time, with its own stream and buffers.
class CudaFinder::Slot {
 public:
  explicit Slot(const CudaFinder& finder) : finder_(finder), reference_(*finder.reference_) {}

  // Returns the ends of the queries from `query` on, and moves `query` to the first one whose ends are left out: past
  // the last, or before it if there are very many ends. If memory does not suffice for all queries at once, takes fewer
  // at a time.
  std::vector<ReadEnd> find(const ReadQueryView& reads, std::uint32_t& query) {
    const std::uint32_t all = reads.query_count;
    const std::uint32_t positions = reference_.text().positions;
    std::vector<ReadEnd> ends;
    if (query < all && positions != 0) reads_.upload_planes(reads, stream_.get());
    if (positions == 0) query = all;
    const std::uint32_t first = query;
    for (std::uint32_t end = all; query < all && (query == first || ends.size() < finder_.max_ends_);) {
      if (find_if_few(reads, query, end, ends)) {
        const std::uint32_t next = end + 2 * (end - query);
        query = std::exchange(end, std::min(next, all));
      } else {
        end = query + std::max(2U, (end - query) / 4 * 2);  // both strands of a read
      }
    }
    return ends;
  }

 private:
  static constexpr std::uint32_t kRoundWindows = 1U << 19;  // of a sweep, at a time

  // Appends the ends of queries [begin, end), in order. Returns false if they are too many for memory or for one
  // result; those of a single read never are too many for a result.
  bool find_if_few(const ReadQueryView& reads, std::uint32_t begin, std::uint32_t end, std::vector<ReadEnd>& ends) {
    const bool one_read = end - begin <= 2;
    try {
      return find_at_once(reads, begin, end, one_read ? ~std::uint64_t{0} : finder_.max_ends_, ends);
    } catch (const OutOfMemory&) {
      stream_.synchronize();
      if (one_read) throw;
      return false;
    }
  }

  // Appends the ends of queries [begin, end), in order. Returns false if they are more than `max`.
  bool find_at_once(const ReadQueryView& reads, std::uint32_t begin, std::uint32_t end, std::uint64_t max,
                    std::vector<ReadEnd>& ends) {
    const std::uint32_t positions = reference_.text().positions;
    const ReadOrder order = order_queries(reads, begin, end, positions, finder_.candidates_);
    if (order.queries.empty()) return true;
    reads_.upload_queries(order, stream_.get());
    windows_.clear();
    std::vector<std::uint32_t> swept;
    if (order.looked_up != 0) swept = windows_.look_up(reads_.view(), order.looked_up, reference_, stream_);
    for (std::uint32_t place = order.looked_up; place < order.queries.size(); ++place) swept.push_back(place);
    std::stable_sort(swept.begin(), swept.end(), [&](std::uint32_t a, std::uint32_t b) {
      return order.queries[a].length < order.queries[b].length;
    });
    if (!swept.empty()) swept_.upload(swept, stream_.get());
    windows_.list(reads_.view(), order.looked_up, positions, scratch_, stream_);

    std::uint64_t found = 0;
    do {
      ends_.clear(stream_);
      if (!windows_.empty()) verify_listed(order);
      verify_swept(order, swept);
      found = ends_.found(stream_);
      if (found > max) return false;
    } while (!ends_.holds(found));
    ends_.fetch(found, std::bit_width(std::size_t{reads.query_count} - 1), scratch_, stream_, ends);
    return true;
  }

  // `usual_positions`: those that most of the windows have at most.
  void verify(const WordsGroup& group, const QueryWindow* windows, std::uint32_t count, std::uint32_t window_positions,
              std::uint32_t usual_positions) {
    const WindowTask task{reference_.text(), reads_.view(),
                          windows,           count,
                          group.words,       group.longest,
                          group.max_edits,   window_positions + group.longest + group.max_edits,
                          usual_positions,   ends_.sink(reads_.numbers())};
    const bool narrow = usual_positions <= group.longest / 8;
    finder_.verifiers_.choose(count, group.words, narrow)(task, workspace_, stream_.get());
  }

  void verify_listed(const ReadOrder& order) {
    std::vector<std::uint32_t> places(order.looked_up);
    std::iota(places.begin(), places.end(), 0);
    for (const WordsGroup& group : group_by_words(order, places)) {
      const std::uint32_t count = windows_.count(group.words);
      if (count == 0) continue;
      const std::uint32_t of_a_candidate = 2 * group.max_edits + 1;
      verify(group, windows_.begin(group.words), count, group.stretch + of_a_candidate, of_a_candidate);
    }
  }

  void verify_swept(const ReadOrder& order, const std::vector<std::uint32_t>& swept) {
    for (const WordsGroup& group : group_by_words(order, swept)) {
      const seeds::Sweep sweep{swept_.get() + group.begin, 2 * group.stretch, reference_.text().positions};
      const std::uint64_t all = std::uint64_t{group.end - group.begin} * sweep.windows_per_query();
      for (std::uint64_t first = 0; first < all; first += kRoundWindows) {
        const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(kRoundWindows, all - first));
        round_.reserve(count);
        seeds::make_windows(sweep, first, count, round_.get(), stream_.get());
        verify(group, round_.get(), count, sweep.stretch, sweep.stretch);
      }
    }
  }

  const CudaFinder& finder_;
  const ResidentReference& reference_;
  Stream stream_;
  DeviceReads reads_;
  CandidateWindows windows_;
  UploadedArray<std::uint32_t> swept_;  // places of queries in their order of work
  DeviceBuffer<QueryWindow> round_;     // of a sweep
  EndList ends_;
  DeviceBuffer<std::byte> scratch_;    // for sorting
  DeviceBuffer<std::byte> workspace_;  // for the rooms' kernels
};

CudaFinder::CudaFinder(const PackedBatch& reference, const FinderOptions& options, int gpu, Verifiers verifiers)
    : gpu_(gpu),
      candidates_(options.candidates),
      max_ends_(options.max_ends),
      verifiers_(std::move(verifiers)),
      slots_(kSlots) {
  BASESWEEP_CUDA(cudaSetDevice(gpu));
  try {
    reference_ = std::make_unique<const ResidentReference>(reference, options.candidates);
  } catch (const OutOfMemory& error) {
    throw DeviceError("GPU memory does not suffice for the reference, which needs " +
                      std::to_string(ResidentReference::bytes(reference, options.candidates)) +
                      " bytes: " + error.what());
  }
  const seeds::DeviceIndex* index = reference_->index();
  description_ = index != nullptr ? "index of " + std::to_string(index->gram()) + "-grams" : "sweep";
  description_ += ", " + verifiers_.name + " on gpu " + std::to_string(gpu);
  threads_ = std::make_unique<SlotThreads>(kSlots, [this](int slot) { make_slot(slot); });
}

CudaFinder::~CudaFinder() = default;

void CudaFinder::make_slot(int slot) {
  BASESWEEP_CUDA(cudaSetDevice(gpu_));
  slots_[static_cast<std::size_t>(slot)] = std::make_unique<Slot>(*this);
}

void CudaFinder::submit(const ReadQueryView& reads, std::uint32_t first_read, Done done) {
  threads_->submit([this, reads, first_read, done = std::move(done)](int slot, const std::exception_ptr& broken) {
    std::vector<ReadEnd> ends;
    std::uint32_t query = 2 * first_read;
    std::exception_ptr error = broken;
    if (!error) {
      try {
        ends = slots_[static_cast<std::size_t>(slot)]->find(reads, query);
      } catch (...) {
        ends.clear();
        error = std::current_exception();
      }
    }
    done(std::move(ends), query / 2, error);
  });
}

std::unique_ptr<Finder> make_finder(const PackedBatch& reference, const FinderOptions& options, int gpu,
                                    Verifiers verifiers) {
  return std::make_unique<CudaFinder>(reference, options, gpu, std::move(verifiers));
}

}  // namespace basesweep::cuda
