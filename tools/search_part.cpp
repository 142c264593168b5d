#include "tools/search_part.hpp"

#include <algorithm>
#include <utility>

#include "lib/base/stream_names.hpp"
#include "lib/writer/byte_sink.hpp"
#include "tools/part_output.hpp"

namespace basesweep {

PartHead part_head(const SearchJobOptions& o, const PartLabel& label, const Scope& scope, std::string query) {
  PartHead head{.label = label, .words = o.words(), .inputs = o.inputs, .query = std::move(query)};
  head.records = part_records(scope.chunk);
  head.indexed = head.records && std::none_of(o.inputs.begin(), o.inputs.end(), is_url) &&
                 find_indices(o.inputs, o.regions).has_value();
  return head;
}

Scope scope_of(const PartSet& parts) {
  Scope scope;
  scope.records = parts.head().records;
  scope.circular_known = true;
  scope.indexed = parts.head().indexed;
  return scope;
}

void take_inputs(const PartSet* parts, SearchJobOptions& o) {
  if (parts != nullptr) o.inputs = parts->head().inputs;
}

CompiledSet set_of(const PartSet& parts) { return parse_compiled_set(parts.paths().front(), parts.head().query); }

std::string print_set(CompiledSet set) {
  class Bytes final : public ByteSink {
   public:
    void write(std::string_view more) override { all += more; }
    std::string all;
  };
  Bytes bytes;
  set.tables = {};
  write_compiled_set(bytes, set, 1);
  return std::move(bytes.all);
}

}  // namespace basesweep
