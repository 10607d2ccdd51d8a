// Jobs in TOML. The keys of an argument that is a table are the words of the command line's notation.
#include <fmt/format.h>

#include <filesystem>

#include "base/toml_reader.h"
#include "emulator/job/draft.h"

namespace ridge::emulator {
namespace {

using Kind = ArgumentDraft::Kind;

/// A number or a text, as text; nothing for anything else.
std::optional<std::string> figure_of(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
  if (const auto real = node.value_exact<double>()) return fmt::format("{}", *real);
  return std::nullopt;
}

class JobReader {
 public:
  JobReader(const toml::table& table, const std::string& path)
      : context_{path, std::nullopt},
        folder_(std::filesystem::path(path).parent_path().string()),
        reader_(table, "", context_) {}

  Result<JobDraft> read() {
    JobDraft job;
    job.kernel = figure(reader_, "kernel");
    job.grid = shape("grid");
    job.block = shape("block");
    job.cluster = shape("cluster");
    job.dynamic_shared = figure(reader_, "dynamic_shared");
    read_names(job);
    read_arguments(job);
    reader_.reject_unknown_keys();
    if (context_.error) return fail(*context_.error);
    return job;
  }

 private:
  [[nodiscard]] std::string place(const toml::node& node) const {
    return fmt::format("{}:{}", context_.where, node.source().begin.line);
  }

  std::optional<Text> figure(TomlTableReader& reader, std::string_view key) {
    const toml::node* node = reader.node(key);
    if (node == nullptr) return std::nullopt;
    auto text = figure_of(*node);
    if (!text) reader.wrong_type(key, *node, "a number or a text in quotes");
    return Text{text.value_or(""), place(*node)};
  }

  /// A figure, or a list of them.
  std::optional<Text> shape(std::string_view key) {
    const toml::node* node = reader_.node(key);
    if (node == nullptr || !node->is_array()) return figure(reader_, key);
    std::string text;
    for (const toml::node& extent : *node->as_array()) {
      const auto one = figure_of(extent);
      if (!one) reader_.wrong_type(key, extent, "a list of whole numbers or formulas");
      text += (text.empty() ? "" : ",") + one.value_or("");
    }
    return Text{text, place(*node)};
  }

  void read_names(JobDraft& job) {
    const toml::table* table = reader_.table("set");
    if (table == nullptr) return;
    for (const auto& [key, node] : *table) {
      const auto value = figure_of(node);
      if (!value) reader_.wrong_type("set", node, "a table of numbers");
      add(job.names, parse_setting(fmt::format("{}={}", key.str(), value.value_or("0")), place(node)), node);
    }
  }

  void read_arguments(JobDraft& job) {
    const toml::node* node = reader_.node("arguments");
    if (node == nullptr) return;
    if (!node->is_array()) {
      reader_.wrong_type("arguments", *node, "a list of arguments");
      return;
    }
    for (const toml::node& argument : *node->as_array()) add(job.arguments, read_argument(argument), argument);
  }

  template <class T>
  void add(std::vector<T>& list, Result<T> item, const toml::node& node) {
    if (item) {
      list.push_back(*std::move(item));
    } else if (!context_.error) {
      context_.report(item.error().what, node, item.error().remedy);
    }
  }

  Result<ArgumentDraft> read_argument(const toml::node& node) {
    if (const toml::table* table = node.as_table()) return read_table(*table);
    const auto text = figure_of(node);
    if (!text)
      return fail(bad_input("an argument is neither a number nor a text nor a table", "", "write one of them"));
    return parse_argument(*text, place(node), folder_);
  }

  Result<ArgumentDraft> read_table(const toml::table& table) {
    TomlTableReader reader(table, "arguments", context_);
    ArgumentDraft draft;
    draft.where = place(table);
    draft.folder = folder_;
    const auto into = [&](std::string& text, std::string_view key) {
      if (const auto value = figure(reader, key)) text = value->text;
    };
    if (reader.has("value")) {
      into(draft.text, "value");
      into(draft.type, "type");
    } else {
      draft.kind = Kind::kBuffer;
      into(draft.buffer.type, "buffer");
      into(draft.buffer.count, "count");
      into(draft.buffer.initial, "initial");
      into(draft.buffer.save, "save");
      into(draft.buffer.expect, "expect");
      into(draft.buffer.tolerance, "tolerance");
      into(draft.buffer.seed, "seed");
    }
    reader.reject_unknown_keys();
    return draft;
  }

  TomlContext context_;
  std::string folder_;
  TomlTableReader reader_;
};

}  // namespace

Result<JobDraft> parse_job(const std::string& text, const std::string& path) {
  toml::table table;
  try {
    table = toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    return fail(bad_input(fmt::format("not valid TOML: {}", error.description()),
                          fmt::format("{}:{}", path, error.source().begin.line), "correct the line"));
  }
  return JobReader(table, path).read();
}

}  // namespace ridge::emulator
