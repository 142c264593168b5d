#include "tools/bench/record.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "lib/base/isa.hpp"
#include "lib/base/threads.hpp"
#include "tools/doctor/machine.hpp"

namespace basesweep {
namespace {

double rate(const BenchRow& row) { return row.bases / row.seconds / 1e9; }

}  // namespace

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  return fmt::format("{:04}-{:02}-{:02}", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
}

void BenchRecord::begin(const std::string& name, const std::string& title) {
  fmt::print("\n{}\n", title);
  parts_.push_back({name, title});
}

void BenchRecord::add(BenchRow row) {
  fmt::print("{:<38} {:<22} {:>9.2f} Gbase/s  {:>9.3f} ms  {}\n", row.what, row.how, rate(row), row.seconds * 1e3,
             row.note);
  std::fflush(stdout);
  parts_.back().rows.push_back(std::move(row));
}

std::string BenchRecord::to_json(bool quick) const {
  using Json = nlohmann::ordered_json;
  Json json;
  json["schema"] = "basesweep-bench/1";
  json["version"] = BASESWEEP_VERSION;
  json["date"] = today();
  json["quick"] = quick;
  json["machine"] = {{"cpu", cpu_name()},
                     {"instruction_set", to_string(best_isa())},
                     {"threads", available_threads()},
                     {"gpu", gpu.empty() ? Json() : Json(gpu)}};
  json["declined"] = declined;
  json["parts"] = Json::array();
  for (const BenchPart& part : parts_) {
    Json rows = Json::array();
    for (const BenchRow& row : part.rows) {
      rows.push_back({{"what", row.what},
                      {"how", row.how},
                      {"bases", row.bases},
                      {"seconds", row.seconds},
                      {"gbases_per_second", rate(row)},
                      {"note", row.note}});
    }
    json["parts"].push_back({{"name", part.name}, {"title", part.title}, {"rows", std::move(rows)}});
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace basesweep
