// Tables of `neighbors` that lie ready in a compiled set.
#pragma once

#include <optional>

#include "kernels/approximate/neighbors/index.hpp"

namespace basesweep::neighbors {

// A table to be stored: it belongs to these seeds.
StoredTable table_to_store(const RoomOptions& options, const Seeds& seeds, const TableView& table);

// A stored table, if it was built from just these seeds and a search can never read beside it.
std::optional<TableView> ready_table(const StoredTable& stored, const Seeds& seeds, int threads);

}  // namespace basesweep::neighbors
