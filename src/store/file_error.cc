#include "store/file_error.h"

#include <cerrno>
#include <string_view>
#include <system_error>

namespace ridge::store {

namespace {

std::string_view remedy_for(int cause) {
  switch (cause) {
    case ENOENT:
    case ENOTDIR:
      return "create the folder first or name another";
    case EACCES:
    case EPERM:
    case EROFS:
      return "name a folder that you may write to";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "free space there or name another place";
    case EISDIR:
      return "name a file, not a folder";
    default:
      return "name another place";
  }
}

}  // namespace

Error file_error(const std::string& doing, const std::string& path, int cause) {
  const bool users = cause == ENOENT || cause == ENOTDIR || cause == EISDIR || cause == ENAMETOOLONG;
  return {users ? ErrorCode::kUsage : ErrorCode::kInternal, doing + ": " + std::generic_category().message(cause), path,
          std::string(remedy_for(cause))};
}

}  // namespace ridge::store
