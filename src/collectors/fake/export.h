// Marks the functions that the library shows under the vendor's names; all else in it is hidden.
#pragma once

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): an attribute and a linkage cannot be named otherwise
#define RIDGE_FAKE_EXPORT extern "C" __attribute__((visibility("default")))
