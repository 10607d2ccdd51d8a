// The tables of a .ridge file. docs/reference/store.md explains them; a test holds the two together.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ridge::store {

inline constexpr std::int64_t kApplicationId = 0x52494447;  ///< "RIDG", at offset 68 of the file
inline constexpr std::int64_t kSchemaVersion = 2;           ///< PRAGMA user_version; what is written
/// The first version with sampled work, readings, recordings and the mark of a finished file.
inline constexpr std::int64_t kLiveVersion = 2;

struct TableSchema {
  std::string_view name;
  std::string_view sql;    ///< exactly as SQLite keeps it
  std::int64_t since = 1;  ///< the schema version that brought it
};

/// In the order of writing.
[[nodiscard]] const std::vector<TableSchema>& tables();

}  // namespace ridge::store
