#include "base/decompress.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/utf8.h"

namespace ridge {
namespace {

constexpr std::size_t kInputChunk = std::size_t{64} << 10;
constexpr int kMaxZstdWindowLog = 27;

/// Hands out bytes that were already read, then the rest of the source.
class Rejoined final : public ByteSource {
 public:
  Rejoined(std::string first, std::unique_ptr<ByteSource> rest) : first_(std::move(first)), rest_(std::move(rest)) {}
  Result<std::size_t> read(std::span<char> out) override {
    if (used_ == first_.size()) return rest_->read(out);
    const std::size_t n = std::min(out.size(), first_.size() - used_);
    std::memcpy(out.data(), first_.data() + used_, n);
    used_ += n;
    return n;
  }
  std::uint64_t skip(std::uint64_t n) override { return used_ == first_.size() ? rest_->skip(n) : 0; }

 private:
  std::string first_;
  std::size_t used_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

/// Common part of the decoders: a refillable input buffer and the errors.
class Decoder : public ByteSource {
 public:
  Decoder(std::unique_ptr<ByteSource> input, std::string path, std::string_view format)
      : input_(std::move(input)), path_(std::move(path)), format_(format) {}

 protected:
  /// Number of bytes now at hand; 0 at the end of the input.
  Result<std::size_t> refill() {
    Result<std::size_t> n = input_->read(buffer_);
    size_ = n ? *n : 0;
    total_ += size_;
    return n;
  }
  [[nodiscard]] Error damaged(std::string_view how) const {
    return bad_input("the " + format_ + " data " + std::string(how),
                     path_ + ", near compressed byte " + std::to_string(total_), "copy or create the file again");
  }

  std::array<char, kInputChunk> buffer_{};
  std::size_t size_ = 0;

 private:
  std::unique_ptr<ByteSource> input_;
  std::string path_;
  std::string format_;
  std::uint64_t total_ = 0;
};

class GzipSource final : public Decoder {
 public:
  GzipSource(std::unique_ptr<ByteSource> input, std::string path) : Decoder(std::move(input), std::move(path), "gzip") {
    constexpr int kGzipOnly = 16;
    ready_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override {
    if (ready_) inflateEnd(&stream_);
  }

  Result<std::size_t> read(std::span<char> out) override {
    if (!ready_) return fail(internal_error("cannot start the gzip decoder", "", "free some memory"));
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(out.size(), 1U << 30));
    const uInt asked = stream_.avail_out;
    while (stream_.avail_out == asked && !finished_) {
      if (stream_.avail_in == 0) RIDGE_TRY(more_input());
      if (finished_) break;
      RIDGE_TRY(step());
    }
    return asked - stream_.avail_out;
  }

 private:
  Result<void> more_input() {
    const Result<std::size_t> n = refill();
    if (!n) return fail(n.error());
    stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
    stream_.avail_in = static_cast<uInt>(*n);
    if (*n > 0) return {};
    if (state_ == State::kInMember) return fail(damaged("end too early"));
    finished_ = true;
    return {};
  }
  Result<void> step() {
    if (state_ == State::kBetweenMembers && stream_.next_in[0] == 0x1f) {
      inflateReset(&stream_);
      state_ = State::kInMember;
    }
    return state_ == State::kInMember ? inflate_some() : padding();
  }
  Result<void> inflate_some() {
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      state_ = State::kBetweenMembers;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      return fail(damaged("are damaged"));
    }
    return {};
  }
  /// Zero bytes may fill up the last block of a tape or disk. Anything else was data once: a member whose header is
  /// damaged, or what is left of one.
  Result<void> padding() {
    state_ = State::kPadding;
    const std::string_view rest(reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in);
    if (rest.find_first_not_of('\0') != std::string_view::npos) return fail(damaged("are followed by other bytes"));
    stream_.avail_in = 0;
    return {};
  }

  enum class State { kInMember, kBetweenMembers, kPadding };

  z_stream stream_{};
  bool ready_ = false;
  State state_ = State::kInMember;
  bool finished_ = false;
};

class ZstdSource final : public Decoder {
 public:
  ZstdSource(std::unique_ptr<ByteSource> input, std::string path)
      : Decoder(std::move(input), std::move(path), "zstd"), stream_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (stream_) ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kMaxZstdWindowLog);
  }

  Result<std::size_t> read(std::span<char> out) override {
    if (!stream_) return fail(internal_error("cannot start the zstd decoder", "", "free some memory"));
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    while (output.pos == 0) {
      const bool drained = input_.pos == input_.size;
      if (drained) {
        const Result<std::size_t> n = refill();
        if (!n) return fail(n.error());
        input_ = {buffer_.data(), *n, 0};
        if (*n == 0 && frame_done_) return std::size_t{0};
      }
      const std::size_t status = ZSTD_decompressStream(stream_.get(), &output, &input_);
      if (ZSTD_isError(status) != 0) return fail(damaged(std::string("are damaged: ") + ZSTD_getErrorName(status)));
      frame_done_ = status == 0;
      if (input_.size == 0 && output.pos == 0 && !frame_done_) return fail(damaged("end too early"));
    }
    return output.pos;
  }

 private:
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  bool frame_done_ = false;
};

class Utf16Source final : public Decoder {
 public:
  Utf16Source(std::unique_ptr<ByteSource> input, std::string path, bool big_endian)
      : Decoder(std::move(input), std::move(path), "UTF-16"), decoder_(big_endian) {}

  Result<std::size_t> read(std::span<char> out) override {
    while (used_ == text_.size()) {
      const Result<std::size_t> n = refill();
      if (!n) return fail(n.error());
      text_.clear();
      used_ = 0;
      decoder_.append(std::string_view(buffer_.data(), *n), text_);
      if (*n == 0) {
        if (text_.empty()) return std::size_t{0};
        break;
      }
    }
    const std::size_t n = std::min(out.size(), text_.size() - used_);
    std::memcpy(out.data(), text_.data() + used_, n);
    used_ += n;
    return n;
  }

 private:
  Utf16Decoder decoder_;
  std::string text_;
  std::size_t used_ = 0;
};

/// A frame of data, or one to be skipped (0x184D2A50 to 5F), with which parallel compressors begin their files.
bool is_zstd(std::string_view magic) {
  if (magic == "\x28\xb5\x2f\xfd") return true;
  return magic.size() == 4 && (static_cast<unsigned char>(magic[0]) & 0xf0U) == 0x50 && magic.ends_with("\x2a\x4d\x18");
}

/// Sniffs on the first read, so that opening never fails.
class AutoSource final : public ByteSource {
 public:
  AutoSource(std::unique_ptr<ByteSource> source, std::string path, int depth)
      : source_(std::move(source)), path_(std::move(path)), depth_(depth) {}

  Result<std::size_t> read(std::span<char> out) override {
    if (!started_) RIDGE_TRY(start());
    return source_->read(out);
  }
  std::uint64_t skip(std::uint64_t n) override { return started_ ? source_->skip(n) : 0; }

 private:
  Result<void> start() {
    started_ = true;
    std::string first;
    while (first.size() < 4) {
      char byte = 0;
      const Result<std::size_t> n = source_->read(std::span<char>(&byte, 1));
      if (!n) return fail(n.error());
      if (*n == 0) break;
      first.push_back(byte);
    }
    wrap(std::move(first));
    return {};
  }
  void wrap(std::string first) {
    using std::string_view_literals::operator""sv;
    const std::string magic = first;
    auto whole = std::make_unique<Rejoined>(std::move(first), std::move(source_));
    if (magic.starts_with("\x1f\x8b\x08")) {
      source_ = inner(std::make_unique<GzipSource>(std::move(whole), path_));
    } else if (is_zstd(magic)) {
      source_ = inner(std::make_unique<ZstdSource>(std::move(whole), path_));
    } else if (magic.starts_with("\xff\xfe"sv) || magic.starts_with("\xfe\xff"sv)) {
      source_ = std::make_unique<Utf16Source>(std::move(whole), path_, magic[0] == '\xfe');
    } else {
      source_ = std::move(whole);
    }
  }
  std::unique_ptr<ByteSource> inner(std::unique_ptr<ByteSource> plain) {
    if (depth_ + 1 >= kMaxEncodings) return plain;
    return std::make_unique<AutoSource>(std::move(plain), path_, depth_ + 1);
  }

  std::unique_ptr<ByteSource> source_;
  std::string path_;
  int depth_;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> decoded(std::unique_ptr<ByteSource> source, const std::string& path) {
  return std::make_unique<AutoSource>(std::move(source), path, 0);
}

}  // namespace ridge
