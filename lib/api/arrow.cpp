// The meaning of each member of the structs: https://arrow.apache.org/docs/format/CDataInterface.html
#include <basesweep/arrow.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "lib/api/batch_state.hpp"
#include "lib/base/utf8.hpp"

namespace basesweep {
namespace {

constexpr std::size_t kMostBuffers = 3;

const char* format_of(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::integer: return "l";
    case ColumnKind::real: return "g";
    case ColumnKind::text: return "u";
    case ColumnKind::dictionary: return "i";
  }
  return "";
}

// The texts with ? for each byte that is not UTF-8, which Arrow wants; null if all is. Names in files may be anything.
std::unique_ptr<std::string> mended(const TextTable& texts) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(texts.bytes.begin(), texts.bytes.end(), is_ascii)) return nullptr;
  std::unique_ptr<std::string> copy;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string_view text = texts.view()[i];
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t bytes = utf8_bytes(text.substr(at));
      if (bytes == 0) {
        if (copy == nullptr) copy = std::make_unique<std::string>(texts.bytes);
        (*copy)[static_cast<std::size_t>(texts.offsets[i]) + at] = '?';
      }
      at += std::max<std::size_t>(bytes, 1);
    }
  }
  return copy;
}

// The memory that an array keeps until it is released.
struct HeldArray {
  std::shared_ptr<const Batch::State> state;
  std::unique_ptr<std::string> copy;  // of texts that were mended
  std::array<const void*, kMostBuffers> buffers{};
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;  // to the children
  ArrowArray dictionary{};
};

struct HeldSchema {
  std::string name;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
  ArrowSchema dictionary{};
};

// Whoever has a parent may take children out of it, and marks them as released then.
template <class Struct, class Held>
void release(Struct* one) {
  auto* const held = static_cast<Held*>(one->private_data);
  for (Struct& child : held->children) {
    if (child.release != nullptr) child.release(&child);
  }
  if (held->dictionary.release != nullptr) held->dictionary.release(&held->dictionary);
  one->release = nullptr;
  delete held;
}

// Owns a struct until it is handed over.
template <class Struct>
class Owned {
 public:
  Owned() = default;
  ~Owned() {
    if (one_.release != nullptr) one_.release(&one_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  Struct* get() { return &one_; }
  void move_to(Struct& to) {
    to = one_;
    one_.release = nullptr;
  }

 private:
  Struct one_{};
};

HeldSchema& begin(ArrowSchema& schema, const char* format, std::string name) {
  auto held = std::make_unique<HeldSchema>();
  held->name = std::move(name);
  schema = {};
  schema.format = format;
  schema.name = held->name.c_str();
  schema.release = release<ArrowSchema, HeldSchema>;
  schema.private_data = held.get();
  return *held.release();
}

HeldArray& begin(ArrowArray& array, const std::shared_ptr<const Batch::State>& state, std::size_t length,
                 std::int64_t buffers) {
  auto held = std::make_unique<HeldArray>();
  held->state = state;
  array = {};
  array.length = static_cast<std::int64_t>(length);
  array.n_buffers = buffers;
  array.buffers = held->buffers.data();
  array.release = release<ArrowArray, HeldArray>;
  array.private_data = held.get();
  return *held.release();
}

template <class Struct, class Held>
void make_children(Struct& parent, Held& held, std::size_t count) {
  held.children.resize(count);
  for (Struct& child : held.children) held.pointers.push_back(&child);
  parent.n_children = static_cast<std::int64_t>(count);
  parent.children = held.pointers.data();
}

void export_texts(const std::shared_ptr<const Batch::State>& state, const TextTable& texts, std::size_t length,
                  ArrowArray& array) {
  HeldArray& held = begin(array, state, length, 3);
  held.copy = mended(texts);
  held.buffers[1] = texts.offsets.data();
  held.buffers[2] = held.copy != nullptr ? held.copy->data() : texts.bytes.data();
}

void export_values(const std::shared_ptr<const Batch::State>& state, std::size_t column, ArrowArray& array) {
  const Batch::State::Values& values = state->columns[column];
  const ColumnKind kind = (*state->infos)[column].kind;
  if (kind == ColumnKind::text) {
    export_texts(state, values.texts, state->rows, array);
  } else {
    HeldArray& held = begin(array, state, state->rows, 2);
    held.buffers[1] = kind == ColumnKind::integer ? static_cast<const void*>(values.integers.data())
                      : kind == ColumnKind::real  ? static_cast<const void*>(values.reals.data())
                                                  : static_cast<const void*>(values.codes.data());
    if (kind == ColumnKind::dictionary) {
      export_texts(state, *values.table, values.table->size(), held.dictionary);
      array.dictionary = &held.dictionary;
    }
  }
  array.null_count = static_cast<std::int64_t>(values.absent);
  if (values.absent != 0) static_cast<HeldArray*>(array.private_data)->buffers[0] = values.validity.data();
}

void export_type(const Batch& batch, ArrowSchema& schema) {
  HeldSchema& held = begin(schema, "+s", "");
  make_children(schema, held, batch.columns().size());
  for (std::size_t i = 0; i < held.children.size(); ++i) {
    const ColumnInfo& column = batch.columns()[i];
    ArrowSchema& child = held.children[i];
    HeldSchema& of_child = begin(child, format_of(column.kind), column.name);
    child.flags = ARROW_FLAG_NULLABLE;
    if (column.kind != ColumnKind::dictionary) continue;
    begin(of_child.dictionary, "u", "");
    child.dictionary = &of_child.dictionary;
  }
}

void export_rows(const Batch& batch, ArrowArray& array) {
  HeldArray& held = begin(array, BatchAccess::state(batch), batch.rows(), 1);
  make_children(array, held, batch.columns().size());
  for (std::size_t i = 0; i < held.children.size(); ++i) export_values(BatchAccess::state(batch), i, held.children[i]);
}

}  // namespace

void export_batch(const Batch& batch, ArrowSchema* schema, ArrowArray* array) {
  Owned<ArrowSchema> type;
  Owned<ArrowArray> rows;
  export_type(batch, *type.get());
  export_rows(batch, *rows.get());
  type.move_to(*schema);
  rows.move_to(*array);
}

}  // namespace basesweep
