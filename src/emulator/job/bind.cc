#include "emulator/job/bind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.h"
#include "emulator/job/bind_buffer.h"
#include "emulator/job/numbers.h"
#include "emulator/job/parameters.h"
#include "emulator/job/shape.h"

namespace ridge::emulator {
namespace {

using Kind = ArgumentDraft::Kind;

Error wrong(const std::string& where, std::string what, std::string remedy) {
  return usage_error(std::move(what), where, std::move(remedy));
}

std::string list_of(const std::vector<Parameter>& parameters) {
  std::string list;
  for (std::size_t i = 0; i < parameters.size(); ++i) list += (i == 0 ? "" : "; ") + described(parameters[i], i);
  return list;
}

class Binder {
 public:
  Binder(const ptx::Function& kernel, const JobDraft& draft) : draft_(draft) {
    job_.kernel = kernel.name;
    job_.function = &kernel;
  }

  Result<Job> bind() {
    RIDGE_TRY(evaluate_names());
    RIDGE_TRY(bind_shape(draft_, names_, job_));
    auto parameters = parameters_of(*job_.function);
    if (!parameters) return fail(parameters.error());
    parameters_ = *std::move(parameters);
    RIDGE_TRY(check_count());
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      index_ = i;
      RIDGE_TRY(bind_argument(draft_.arguments[i]));
    }
    return std::move(job_);
  }

 private:
  [[nodiscard]] const Parameter& parameter() const { return parameters_[index_]; }

  /// In their order, so that one may be made of those before.
  Result<void> evaluate_names() {
    for (const auto& [name, value] : draft_.names) {
      const auto number = evaluate_number(value.text, names_, value.where);
      if (!number) return fail(number.error());
      names_[name] = number->real;
    }
    return {};
  }

  [[nodiscard]] Result<void> check_count() const {
    const std::size_t given = draft_.arguments.size();
    if (given == parameters_.size()) return {};
    const std::string which = given < parameters_.size() ? "" : draft_.arguments[parameters_.size()].where;
    const std::string list = parameters_.empty() ? "leave them out" : "they are " + list_of(parameters_);
    return fail(
        wrong(which.empty() ? "--arg" : which,
              fmt::format("the kernel '{}' has {} parameter{} and {} argument{} given", shown(job_.kernel),
                          parameters_.size(), parameters_.size() == 1 ? "" : "s", given, given == 1 ? " is" : "s are"),
              list + "; --template writes a job to start from"));
  }

  Result<void> bind_argument(const ArgumentDraft& draft) {
    argument_ = {};
    argument_.bytes.resize(parameter().bytes);
    Result<void> bound;
    switch (draft.kind) {
      case Kind::kScalar:
        bound = bind_scalar(draft);
        break;
      case Kind::kStructure:
        bound = bind_structure(draft);
        break;
      case Kind::kBytes:
        bound = bind_bytes(draft);
        break;
      case Kind::kBuffer:
      case Kind::kSame:
        bound = bind_pointer(draft);
        break;
    }
    if (!bound) return bound;
    job_.arguments.push_back(std::move(argument_));
    return {};
  }

  /// What the bits of a parameter mean if the argument does not say: PTX calls an int u32 as well, so that unsigned
  /// ones take both.
  [[nodiscard]] std::optional<ElementType> type_of_parameter() const {
    const auto element = element_type_named(parameter().type);
    if (parameter().is_array || !element) return std::nullopt;
    switch (*element) {
      case ElementType::kU8:
        return ElementType::kB8;
      case ElementType::kU16:
        return ElementType::kB16;
      case ElementType::kU32:
        return ElementType::kB32;
      case ElementType::kU64:
        return ElementType::kB64;
      default:
        return element;
    }
  }

  Result<void> bind_scalar(const ArgumentDraft& draft) {
    const auto type = draft.type.empty() ? type_of_parameter() : element_type_named(draft.type);
    if (!type) {
      return fail(wrong(draft.where, fmt::format("a number for parameter {}", described(parameter(), index_)),
                        "write its fields, e.g. {f32=2.5, u32=n}, or its bytes, e.g. hex:00ff10"));
    }
    if (size_of(*type) != parameter().bytes) return fail(wrong_width(draft, name(*type)));
    const auto bits = scalar_bits(draft, *type);
    if (!bits) return fail(bits.error());
    if (*bits != 0 && parameter().pointee) {
      return fail(wrong(draft.where, fmt::format("a number for parameter {}", described(parameter(), index_)),
                        "give a buffer, e.g. f32:n:random, or null"));
    }
    store(*type, argument_.bytes, 0, *bits);
    return {};
  }

  [[nodiscard]] Error wrong_width(const ArgumentDraft& draft, std::string_view type) const {
    return wrong(
        draft.where,
        fmt::format("{} for parameter {}, which has {} bytes", type, described(parameter(), index_), parameter().bytes),
        "give a type of that width");
  }

  [[nodiscard]] Result<std::uint64_t> scalar_bits(const ArgumentDraft& draft, ElementType type) const {
    const auto number = evaluate_number(draft.text, names_, draft.where);
    if (!number) return fail(number.error());
    if (const auto bits = bits_of(type, *number)) return *bits;
    const bool unsaid = is_bits(type) && !number->whole && draft.type.empty();
    const std::string remedy = unsaid && size_of(type) >= 2
                                   ? fmt::format("say how to write it, e.g. f{}={}", 8 * size_of(type), draft.text)
                                   : std::string("write a number that fits");
    const std::string_view shown_type = draft.type.empty() ? parameter().type : name(type);
    return fail(
        wrong(draft.where, fmt::format("{} is no number that {} can hold", to_string(*number), shown_type), remedy));
  }

  Result<void> bind_bytes(const ArgumentDraft& draft) {
    if (draft.text.size() != 2 * argument_.bytes.size()) {
      return fail(wrong_width(draft, fmt::format("{} bytes", draft.text.size() / 2)));
    }
    for (std::size_t i = 0; i < argument_.bytes.size(); ++i) {
      const auto byte = evaluate_count("0x" + draft.text.substr(2 * i, 2), names_, draft.where);
      if (!byte) return fail(byte.error());
      argument_.bytes[i] = static_cast<std::byte>(*byte);
    }
    return {};
  }

  Result<void> bind_structure(const ArgumentDraft& draft) {
    std::size_t offset = 0, alignment = 1;
    std::vector<std::byte> bytes;
    for (const ArgumentDraft& field : draft.fields) {
      const bool is_pointer = field.kind != Kind::kScalar;
      const auto type = is_pointer ? ElementType::kU64 : element_type_named(field.type);
      if (!type) return fail(wrong(field.where, "a field has no type", "write it as TYPE=VALUE"));
      const std::size_t size = size_of(*type);
      offset = (offset + size - 1) / size * size;
      alignment = std::max(alignment, size);
      bytes.resize(offset + size);
      if (is_pointer) {
        RIDGE_TRY(add_pointer(field, static_cast<std::uint32_t>(offset), std::nullopt));
      } else {
        const auto bits = scalar_bits(field, *type);
        if (!bits) return fail(bits.error());
        store(*type, std::span(bytes).subspan(offset), 0, *bits);
      }
      offset += size;
    }
    bytes.resize((offset + alignment - 1) / alignment * alignment);
    if (bytes.size() != argument_.bytes.size()) {
      return fail(wrong_width(draft, fmt::format("fields of {} bytes", bytes.size())));
    }
    argument_.bytes = std::move(bytes);
    return {};
  }

  Result<void> bind_pointer(const ArgumentDraft& draft) {
    const std::string_view type = parameter().type;
    const bool takes_one = type == "u64" || type == "b64" || type == "s64" || parameter().is_array;
    if (!takes_one || parameter().bytes != size_of(ElementType::kU64)) {
      return fail(wrong(draft.where, fmt::format("a buffer for parameter {}", described(parameter(), index_)),
                        "give a number; only 64-bit parameters are pointers"));
    }
    return add_pointer(draft, 0, parameter().pointee);
  }

  Result<void> add_pointer(const ArgumentDraft& draft, std::uint32_t offset, const std::optional<Pointee>& pointee) {
    if (draft.kind == Kind::kSame) {
      const auto buffer = buffer_of_argument(draft);
      if (!buffer) return fail(buffer.error());
      argument_.pointers.push_back({offset, *buffer});
      return {};
    }
    const std::string number = fmt::format("argument {}", index_ + 1);
    const std::string field = fmt::format("{}, byte {}", number, offset);
    BufferPlace place{parameter().is_array ? field : number, job_.buffers.size() + 1, pointee};
    auto buffer = bind_buffer(draft, place, names_);
    if (!buffer) return fail(buffer.error());
    argument_.pointers.push_back({offset, static_cast<std::uint32_t>(job_.buffers.size())});
    job_.buffers.push_back(*std::move(buffer));
    return {};
  }

  [[nodiscard]] Result<std::uint32_t> buffer_of_argument(const ArgumentDraft& draft) const {
    const auto number = evaluate_count(draft.text, names_, draft.where);
    if (!number) return fail(number.error());
    if (*number >= 1 && *number <= job_.arguments.size()) {
      const auto& pointers = job_.arguments[*number - 1].pointers;
      if (pointers.size() == 1 && pointers.front().offset == 0) return pointers.front().buffer;
    }
    return fail(wrong(draft.where, fmt::format("'@{}' names no earlier argument that is a buffer", shown(draft.text)),
                      "write the number of one, counted from 1"));
  }

  const JobDraft& draft_;
  Variables names_;
  std::vector<Parameter> parameters_;
  std::size_t index_ = 0;  ///< of the parameter in hand
  JobArgument argument_;
  Job job_;
};

}  // namespace

Result<Job> bind_job(const ptx::Module& module, const JobDraft& draft) {
  const auto kernel = find_kernel(module, draft.kernel ? draft.kernel->text : "");
  if (!kernel) {
    Error error = kernel.error();
    if (draft.kernel && error.where == "--kernel") error.where = draft.kernel->where;
    return fail(std::move(error));
  }
  return Binder(**kernel, draft).bind();
}

}  // namespace ridge::emulator
