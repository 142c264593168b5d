// Batches get room for their hits, and parts take the place of a batch that was cut.
#include <memory>
#include <string>
#include <vector>

#include "lib/pipeline/batch_queue.hpp"
#include "tests/support/catch.hpp"

namespace basesweep::test_batch_queue {

namespace {

std::shared_ptr<PackedBatch> make_batch(std::uint64_t number, std::uint32_t positions = 8) {
  const std::vector<std::uint64_t> planes(2);
  auto batch = std::make_shared<PackedBatch>(positions, 1, std::pmr::get_default_resource());
  batch->begin_segment("r", 0, 0, 0);
  batch->append(planes.data(), planes.data(), 0, positions);
  batch->finish(0, positions);
  batch->number = number;
  return batch;
}

}  // namespace

TEST_CASE("only as many batches are taken as there is room for", "[batches]") {
  BatchQueue queue(10, 2);
  for (std::uint64_t i = 0; i < 4; ++i) queue.add(make_batch(i));
  const auto first = queue.take(), second = queue.take();
  CHECK(first->number == 0);
  CHECK(second->number == 1);
  CHECK(queue.take() == nullptr);
  queue.set_room(*second, 3);  // 10 + 3: no room for 10 more
  CHECK(queue.take() == nullptr);
  queue.set_room(*first, 7);
  const auto third = queue.take();
  CHECK(third->number == 2);
  queue.finish(*first);
  CHECK(queue.take() == nullptr);
  queue.finish(*second);
  CHECK(queue.take()->number == 3);
  CHECK(queue.take() == nullptr);
}

TEST_CASE("parts come in the place of their batch, and the one whose turn it is always gets room", "[batches]") {
  BatchQueue queue(10, 2);
  for (std::uint64_t i = 0; i < 3; ++i) queue.add(make_batch(i));
  const auto whole = queue.take(), later = queue.take();
  queue.set_room(*later, 1000);  // it could not be cut
  for (const Interval own : {Interval{0, 5}, Interval{5, 8}}) queue.add(whole->part(own, 0, 0));
  queue.set_room(*whole, 0);
  const auto part = queue.take();
  REQUIRE(part != nullptr);
  CHECK(part->place() == BatchPlace(0, 0));
  CHECK(queue.take() == nullptr);
  queue.finish(*part);
  const auto last = queue.take();
  REQUIRE(last != nullptr);
  CHECK(last->place() == BatchPlace(0, 5));
  queue.finish(*last);
  queue.finish(*later);
  CHECK(queue.take()->number == 2);
}

TEST_CASE("what belongs to batches and parts is passed on in their order", "[batches]") {
  const auto zero = make_batch(0), one = make_batch(1), two = make_batch(2);
  const std::shared_ptr<PackedBatch> parts[] = {one->part({0, 2}, 0, 0), one->part({2, 8}, 0, 0)};
  InBatchOrder<std::string> order;
  std::string seen;
  const auto add = [&](const PackedBatch& batch, const std::string& item) {
    order.add(batch, item, [&](const std::string& next) { seen += next; });
  };
  add(*two, "d");
  add(*parts[1], "c");
  CHECK(seen.empty());
  add(*zero, "a");
  CHECK(seen == "a");
  add(*parts[0], "b");
  CHECK(seen == "abcd");
}

}  // namespace basesweep::test_batch_queue
