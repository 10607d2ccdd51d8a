#include "store/schema.h"

namespace ridge::store {

const std::vector<TableSchema>& tables() {
  static const std::vector<TableSchema> list = {
      {"source",
       "CREATE TABLE source(id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path TEXT NOT NULL, taken TEXT NOT NULL, "
       "tool_version TEXT NOT NULL)"},
      {"device",
       "CREATE TABLE device(id INTEGER PRIMARY KEY, source INTEGER NOT NULL, number INTEGER NOT NULL, name TEXT NOT "
       "NULL, chip TEXT NOT NULL, attributes BLOB NOT NULL, machine BLOB, other_machine INTEGER NOT NULL)"},
      {"kernel",
       "CREATE TABLE kernel(id INTEGER PRIMARY KEY, short_name TEXT NOT NULL, full_name TEXT NOT NULL, mangled_name "
       "TEXT NOT NULL)"},
      {"configuration",
       "CREATE TABLE configuration(id INTEGER PRIMARY KEY, grid_x INTEGER, grid_y INTEGER, grid_z INTEGER, block_x "
       "INTEGER, block_y INTEGER, block_z INTEGER, data BLOB NOT NULL)"},
      {"metric", "CREATE TABLE metric(id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL)"},
      {"measurement",
       "CREATE TABLE measurement(id INTEGER PRIMARY KEY, work BLOB NOT NULL, execution BLOB NOT NULL, conditions BLOB "
       "NOT NULL, raw BLOB NOT NULL, hot_lines BLOB NOT NULL)"},
      {"launch_chunk",
       "CREATE TABLE launch_chunk(id INTEGER PRIMARY KEY, launches INTEGER NOT NULL, data BLOB NOT NULL)"},
      {"sampled_chunk",
       "CREATE TABLE sampled_chunk(id INTEGER PRIMARY KEY, items INTEGER NOT NULL, data BLOB NOT NULL)", kLiveVersion},
      {"span_chunk", "CREATE TABLE span_chunk(id INTEGER PRIMARY KEY, spans INTEGER NOT NULL, data BLOB NOT NULL)"},
      {"reading_chunk",
       "CREATE TABLE reading_chunk(id INTEGER PRIMARY KEY, readings INTEGER NOT NULL, data BLOB NOT NULL)",
       kLiveVersion},
      {"recording",
       "CREATE TABLE recording(id INTEGER PRIMARY KEY, source INTEGER NOT NULL, command TEXT NOT NULL, host TEXT NOT "
       "NULL, tier INTEGER NOT NULL, finished INTEGER NOT NULL, data BLOB NOT NULL)",
       kLiveVersion},
      {"issue",
       "CREATE TABLE issue(id INTEGER PRIMARY KEY, severity INTEGER NOT NULL, message TEXT NOT NULL, arguments BLOB "
       "NOT NULL)"},
      {"text", "CREATE TABLE text(id INTEGER PRIMARY KEY, value TEXT NOT NULL)"},
      {"value_name", "CREATE TABLE value_name(id INTEGER PRIMARY KEY, name TEXT NOT NULL)"},
      {"state", "CREATE TABLE state(id INTEGER PRIMARY KEY, finished INTEGER NOT NULL)", kLiveVersion},
  };
  return list;
}

}  // namespace ridge::store
