// Decoders between bytes: gzip and zstd by their magic, and UTF-16 text (what a Windows shell's redirection writes) to
// UTF-8. All stream, with memory bounded by the format's window and not by the data.
//
// Damage in the middle is an error of read(); what was decoded before it has been delivered.
// Not modelled: zip, xz, bzip2; zstd frames with a window above 128 MiB; dictionaries.
#pragma once

#include <memory>

#include "base/bytes.h"

namespace ridge {

/// At most this many encodings are unwrapped: a .gz inside a .zst is real, more is a trick.
inline constexpr int kMaxEncodings = 2;

/// A source that looks at the first bytes and decodes gzip, zstd or UTF-16; anything else passes through unchanged.
/// `path` appears in errors.
[[nodiscard]] std::unique_ptr<ByteSource> decoded(std::unique_ptr<ByteSource> source, const std::string& path);

}  // namespace ridge
