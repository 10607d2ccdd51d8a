// What of the command line and the environment may stand in a file that people hand on.
//
// A secret is what a name before it says it is, anywhere in an argument (--token X, --password=X, API_KEY=X,
// "password": "X", Authorization: Bearer X; behind -p whatever cannot be a port, behind -u what follows the colon), the
// user part of an address (https://user:secret@host), and what looks like a well-known kind of token by its prefix. It
// becomes "***". Nothing can tell a secret that stands alone without a name, nor one that is glued to its option
// (mysql's -pX): what is kept of the environment is a list of names that are known to be harmless.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridge::collectors::session {

/// The command as a person would type it in a shell, secrets taken out.
[[nodiscard]] std::string redacted_command(const std::vector<std::string>& command);

/// Variables that say how GPUs, ranks and threads were chosen; their values pass the same filter.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> harmless_environment(
    const std::map<std::string, std::string, std::less<>>& environment);

}  // namespace ridge::collectors::session
