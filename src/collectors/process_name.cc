#include "collectors/process_name.h"

#include <fstream>

namespace ridge::collectors {

std::string process_name(std::uint64_t id, const std::string& root) {
  std::ifstream file(root + "/proc/" + std::to_string(id) + "/comm", std::ios::binary);
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace ridge::collectors
