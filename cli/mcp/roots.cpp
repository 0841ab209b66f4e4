#include "cli/mcp/roots.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "formats/core/text/counted.hpp"
#include "formats/core/text/excerpt.hpp"

namespace heapcheck::cli::mcp {
namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

std::unexpected<Error> fail(ErrorKind kind, const std::string& path, std::string_view why) {
  return std::unexpected(Error{kind, fmt::format("{}: {}", core::show_path(path), why)});
}

std::unexpected<Error> fail_to_open(const std::string& path) {
  return fail(ErrorKind::unreadable, path, std::strerror(errno));
}

/// Whether `path` is the folder or in it. Neither has symbolic links.
bool is_inside(const std::string& path, const std::string& folder) {
  if (path == folder || folder == "/") return true;
  return path.starts_with(folder) && path[folder.size()] == '/';
}

/// Opens a file whose path has no symbolic links. If there are some by now, somebody has just made them, and
/// opening it fails.
int open_without_links(const std::string& path, std::uint64_t flags, std::uint64_t mode) {
  open_how how{.flags = flags | O_CLOEXEC | O_NOFOLLOW, .mode = mode, .resolve = RESOLVE_NO_SYMLINKS};
  const long opened = ::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof(how));
  if (opened >= 0 || (errno != ENOSYS && errno != EPERM)) return static_cast<int>(opened);
  // Before Linux 5.6, and in some containers.
  return ::open(path.c_str(), static_cast<int>(how.flags), static_cast<mode_t>(mode));
}

Result<std::size_t> read_at(int file, std::uint64_t offset, std::span<std::uint8_t> buffer) {
  for (;;) {
    const ssize_t count = ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (count > 0) return static_cast<std::size_t>(count);
    if (count == 0) return std::unexpected(Error{ErrorKind::unreadable, "changed while it was being read"});
    if (errno != EINTR) return std::unexpected(Error{ErrorKind::unreadable, std::strerror(errno)});
  }
}

}  // namespace

Result<Roots> Roots::make(const std::vector<std::string>& paths) {
  Roots roots;
  for (const std::string& path : paths) {
    std::error_code code;
    const fs::path folder = fs::canonical(path, code);
    if (code) return fail(ErrorKind::unreadable, path, code.message());
    if (!fs::is_directory(folder, code)) return fail(ErrorKind::unreadable, path, "is not a folder");
    roots.folders_.push_back(folder.string());
  }
  return roots;
}

Result<std::string> Roots::resolve(const std::string& path) const {
  if (path.empty() || path.find('\0') != std::string::npos)
    return std::unexpected(Error{ErrorKind::unsupported, "found an empty path or one with a NUL byte"});
  std::error_code code;
  const fs::path resolved = fs::weakly_canonical(fs::path(folders_.front()) / path, code);
  if (code) return fail(ErrorKind::unreadable, path, code.message());
  const bool is_allowed = std::ranges::any_of(
      folders_, [&](const std::string& folder) { return is_inside(resolved.string(), folder); });
  if (!is_allowed)
    return fail(ErrorKind::unsupported, path,
                fmt::format("found a path outside, expected one in {}; --root adds a folder",
                            core::join_words(folders_, "or")));
  return resolved.string();
}

Result<OpenFile> Roots::open(const std::string& path) const {
  auto resolved = resolve(path);
  if (!resolved) return std::unexpected(resolved.error());
  const auto file = std::make_shared<Descriptor>(open_without_links(*resolved, O_RDONLY | O_NONBLOCK, 0));
  struct stat status{};
  if (file->number() < 0 || ::fstat(file->number(), &status) != 0) return fail_to_open(path);
  if (!S_ISREG(status.st_mode)) return fail(ErrorKind::unreadable, path, "is not a regular file");
  return OpenFile{.path = std::move(*resolved),
                  .source = {.byte_count = static_cast<std::uint64_t>(status.st_size),
                             .read_at =
                                 [file](std::uint64_t offset, std::span<std::uint8_t> buffer) {
                                   return read_at(file->number(), offset, buffer);
                                 }},
                  .identity = fmt::format("{} {} {} {} {}", status.st_dev, status.st_ino, status.st_size,
                                          status.st_mtim.tv_sec, status.st_mtim.tv_nsec)};
}

Result<std::string> Roots::create(const std::string& path) const {
  auto resolved = resolve(path);
  if (!resolved) return resolved;
  const Descriptor file(open_without_links(*resolved, O_WRONLY | O_CREAT | O_EXCL, 0600));
  if (file.number() >= 0) return resolved;
  if (errno == EEXIST)
    return fail(ErrorKind::unwritable, path, "found a file with this name, expected a new one");
  return fail(ErrorKind::unwritable, path, std::strerror(errno));
}

}  // namespace heapcheck::cli::mcp
