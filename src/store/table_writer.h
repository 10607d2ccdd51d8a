// The rows of a profile, written whole or piece by piece into a database: the one place that encodes them.
//
// Memory does not grow with launches, spans, samples and readings: of each, only the items of a last short chunk are
// kept, so that small pieces do not make small chunks, which would take three times the room. Texts and names of values
// stay, as numbers refer to them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ridgepoint/base/result.h"
#include "ridgepoint/model/profile.h"
#include "store/archive.h"
#include "store/references.h"
#include "store/sqlite.h"

namespace ridge::store {

class TableWriter {
 public:
  /// An empty database, which outlives the writer and stays where it is.
  explicit TableWriter(Database& database) : database_(database) {}

  /// Makes the tables, and the mark that the file is not finished.
  [[nodiscard]] Result<void> create_tables();
  /// In one transaction: all rows of the piece or, on an error, none.
  [[nodiscard]] Result<void> append(const Profile& piece);
  [[nodiscard]] Result<void> mark_finished();
  /// What later pieces may refer to.
  [[nodiscard]] const TableSizes& sizes() const { return done_.sizes; }

 private:
  /// The chunks of a table; `tail` are the items of the last one as long as it may still grow.
  template <class T>
  struct Chunks {
    std::int64_t rows = 0;
    std::vector<T> tail;
  };
  /// What was written so far; put back when a transaction fails.
  struct Progress {
    TableSizes sizes;
    std::int64_t issues = 0;
    std::size_t texts = 0, names = 0;       ///< that stand in their tables
    std::vector<std::uint32_t> recordings;  ///< the source of each
    Chunks<Launch> launches;
    Chunks<SampledWork> sampled;
    Chunks<Span> spans;
    Chunks<Reading> readings;
  };

  [[nodiscard]] Result<void> rows(const Profile& piece);
  [[nodiscard]] Result<void> sources(const Profile& piece);
  [[nodiscard]] Result<void> devices(const Profile& piece);
  [[nodiscard]] Result<void> kernels(const Profile& piece);
  [[nodiscard]] Result<void> configurations(const Profile& piece);
  [[nodiscard]] Result<void> metrics(const Profile& piece);
  [[nodiscard]] Result<void> measurements(const Profile& piece);
  [[nodiscard]] Result<void> chunks(const Profile& piece);
  [[nodiscard]] Result<void> recordings(const Profile& piece);
  [[nodiscard]] Result<void> issues(const Profile& piece);
  [[nodiscard]] Result<void> texts(const Profile& piece);

  template <class T>
  Blob blob(const T& item);
  template <class T, class F>
  [[nodiscard]] Result<void> insert(const std::string& table, int parameters, const std::vector<T>& items,
                                    std::size_t first, F row);
  template <class T, class F>
  [[nodiscard]] Result<void> add_chunks(const std::string& table, Chunks<T>& chunks, const std::vector<T>& items,
                                        F encode);

  Database& database_;
  TextTable texts_;
  TextTable names_;
  Progress done_;
};

}  // namespace ridge::store
