#include "formats/core/output/output_file.hpp"

#include <fcntl.h>
#include <linux/limits.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "formats/core/text/parse_number.hpp"
#include "formats/core/transport/system_call.hpp"

namespace heapcheck::core {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> make_output_error(std::string message) {
  return std::unexpected(Error{ErrorKind::unwritable, std::move(message)});
}

std::unexpected<Error> make_output_error(const char* verb, int code) {
  return make_output_error(std::string(verb) + ": " + std::generic_category().message(code));
}

// Paths are kept in fixed arrays rather than strings because a signal may arrive at any moment. A slot
// belongs to the code that set its state to `busy`.
enum SlotState : int { slot_free, slot_busy, slot_pending };

struct Slot {
  std::atomic<int> state{slot_free};
  std::array<char, 4096> path{};
};

constexpr int no_slot = -1;
static_assert(std::atomic<int>::is_always_lock_free);
std::array<Slot, 16> slots;

bool take_slot(Slot& slot, int from) { return slot.state.compare_exchange_strong(from, slot_busy); }

/// Records `path` for remove_pending_outputs() if there is room for it.
int register_pending(const std::string& path) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Slot& slot = slots[i];
    if (path.size() >= slot.path.size() || !take_slot(slot, slot_free)) continue;
    std::memcpy(slot.path.data(), path.c_str(), path.size() + 1);
    slot.state.store(slot_pending);
    return static_cast<int>(i);
  }
  return no_slot;
}

void forget_pending(int index) {
  if (index == no_slot) return;
  Slot& slot = slots[static_cast<std::size_t>(index)];
  if (take_slot(slot, slot_pending)) slot.state.store(slot_free);
}

/// The descriptor named by a path such as /dev/stdout or /dev/fd/5. It must be shared, because opening the
/// path again would start at the beginning of a file to which the shell appends.
std::optional<int> find_named_descriptor(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view prefix : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(prefix)) continue;
    const auto number = parse_number<int>(path.substr(prefix.size()));
    if (number && *number >= 0) return number;
  }
  return std::nullopt;
}

/// Follows symbolic links to the actual path of a file. Unlike realpath(), this also works if the file does
/// not exist yet.
Result<fs::path> resolve_links(fs::path path) {
  constexpr int max_links = 40;
  for (int i = 0; i < max_links; ++i) {
    std::error_code status;
    if (!fs::is_symlink(fs::symlink_status(path, status))) return path;
    const fs::path target = fs::read_symlink(path, status);
    if (status) return make_output_error("cannot be opened", status.value());
    path = path.parent_path() / target;
  }
  return make_output_error("cannot be opened", ELOOP);
}

std::string make_random_suffix() {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::array<unsigned char, 6> random{};
  // Without randomness, names only collide more often, and another name is tried after a collision.
  if (::getentropy(random.data(), random.size()) != 0) random.fill(static_cast<unsigned char>(::getpid()));
  std::string suffix;
  for (const unsigned char number : random) suffix += letters[number % letters.size()];
  return suffix;
}

fs::path make_temporary_path(const fs::path& target) {
  constexpr std::size_t longest_stem = 200;  // a name may be 255 bytes long
  const std::string stem = target.filename().string().substr(0, longest_stem);
  return target.parent_path() / ("." + stem + "." + make_random_suffix() + ".tmp");
}

constexpr mode_t permissions = 0777;

struct Temporary {
  int descriptor;
  std::string path;
  mode_t mode;  ///< the permissions that the file would have if it had been created with the given mode
};

/// Finds out how the umask and the default ACL of the folder change `mode`, by creating a file. Reading the
/// umask would change it for all threads. Returns nothing if a file with that name exists or cannot be
/// created.
std::optional<mode_t> find_mode(const std::string& path, mode_t mode) {
  const int descriptor =
      retry([&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode); });
  if (descriptor < 0) return std::nullopt;
  struct stat status{};
  const bool is_known = retry([&] { return ::fstat(descriptor, &status); }) == 0;
  ::close(descriptor);
  ::unlink(path.c_str());
  return is_known ? status.st_mode & permissions : mode & S_IRWXU;
}

Result<Temporary> create_temporary(const fs::path& target, mode_t mode) {
  constexpr int max_attempts = 100;
  constexpr mode_t only_owner = S_IRUSR | S_IWUSR;
  for (int i = 0; i < max_attempts; ++i) {
    std::string path = make_temporary_path(target).string();
    if (const auto found = find_mode(path, mode)) {
      const int descriptor =
          retry([&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, only_owner); });
      if (descriptor >= 0) return Temporary{descriptor, std::move(path), *found};
    }
    if (errno != EEXIST) break;
  }
  return make_output_error("cannot be created", errno);
}

/// Attributes such as the SELinux label belong to the system, which sets them and may not allow changes to
/// them.
bool is_kept(std::string_view attribute) {
  return attribute.starts_with("user.") || attribute == "system.posix_acl_access";
}

/// The names of the extended attributes that are kept if the file is replaced. Empty if the file system does
/// not support attributes.
std::vector<std::string> list_attributes(const std::string& path) {
  std::vector<char> names(XATTR_LIST_MAX);
  const ssize_t length = ::listxattr(path.c_str(), names.data(), names.size());
  std::vector<std::string> kept;
  for (ssize_t i = 0; i < length;) {
    std::string name = &names[static_cast<std::size_t>(i)];
    i += static_cast<ssize_t>(name.size()) + 1;
    if (is_kept(name)) kept.push_back(std::move(name));
  }
  return kept;
}

Result<void> copy_attributes(const std::string& from, int to) {
  std::vector<char> value(XATTR_SIZE_MAX);
  for (const std::string& name : list_attributes(from)) {
    const ssize_t length = ::getxattr(from.c_str(), name.c_str(), value.data(), value.size());
    if (length < 0 || ::fsetxattr(to, name.c_str(), value.data(), static_cast<std::size_t>(length), 0) != 0) {
      return make_output_error("cannot be given the extended attributes of the file it replaces", errno);
    }
  }
  return {};
}

/// Gives an open file the owner and the extended attributes of the file at `from`, whose status is given.
Result<void> copy_metadata(const std::string& from, const struct stat& status, int to) {
  struct stat own{};
  if (::fstat(to, &own) != 0) return make_output_error("cannot be written", errno);
  const bool is_foreign = own.st_uid != status.st_uid || own.st_gid != status.st_gid;
  if (is_foreign && ::fchown(to, status.st_uid, status.st_gid) != 0)
    return make_output_error("cannot be given the owner and group of the file it replaces", errno);
  return copy_attributes(from, to);
}

/// The permissions of a file that replaces another file. They are the permissions of the replaced file,
/// except that group and others can read and write the new file only if `mode` allows it.
mode_t find_kept_mode(mode_t replaced, mode_t mode) {
  constexpr mode_t not_secret = S_IRWXU | S_IXGRP | S_IXOTH;
  return replaced & permissions & (mode | not_secret);
}

Result<int> open_direct(const std::string& path, std::optional<int> named, int flags = 0) {
  constexpr mode_t mode = 0666;  // before the umask, if the flags create the file
  const int descriptor =
      named ? ::fcntl(*named, F_DUPFD_CLOEXEC, 0)
            : retry([&] { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, mode); });
  if (descriptor < 0) return make_output_error("cannot be opened", errno);
  return descriptor;
}

Result<void> sync_folder(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const int descriptor = retry([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  // A folder that is writable but not readable cannot be opened. The file itself is durable anyway.
  if (descriptor < 0) return {};
  const int code = retry([&] { return ::fsync(descriptor); }) == 0 || errno == EINVAL ? 0 : errno;
  ::close(descriptor);
  if (code != 0) return make_output_error("cannot be flushed to disk", code);
  return {};
}

}  // namespace

OutputFile::OutputFile(int descriptor, std::string target, std::string temporary)
    : descriptor_(descriptor),
      target_(std::move(target)),
      temporary_(std::move(temporary)),
      slot_(temporary_.empty() ? no_slot : register_pending(temporary_)) {}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      slot_(std::exchange(other.slot_, no_slot)),
      mode_(other.mode_),
      replaced_(other.replaced_),
      times_(other.times_),
      is_durable_(other.is_durable_) {}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  forget_pending(slot_);
}

Result<OutputFile> OutputFile::create(const std::string& path, const OutputOptions& options) {
  const auto named = find_named_descriptor(path);
  struct stat status{};
  const bool exists = !named && ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return make_output_error("is a folder, not a file");
  if (named || (exists && !S_ISREG(status.st_mode))) {
    const auto descriptor = open_direct(path, named);
    if (!descriptor) return std::unexpected(descriptor.error());
    return OutputFile(*descriptor, path, {});
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) return make_output_error("cannot be replaced", errno);
  const auto target = resolve_links(path);
  if (!target) return std::unexpected(target.error());
  if (!target->has_filename()) return make_output_error("is the name of a folder, not of a file");
  std::string name = target->string();  // done before the temporary file exists, because it may throw
  auto temporary = create_temporary(*target, options.mode);
  if (!temporary) return std::unexpected(temporary.error());
  OutputFile file(temporary->descriptor, std::move(name), std::move(temporary->path));
  file.mode_ = exists ? find_kept_mode(status.st_mode, options.mode) : temporary->mode;
  file.replaced_ = options.replaced;
  file.times_ = options.times;
  file.is_durable_ = options.is_durable;
  return file;
}

Result<OutputFile> OutputFile::append(const std::string& path) {
  const auto descriptor = open_direct(path, find_named_descriptor(path), O_APPEND | O_CREAT);
  if (!descriptor) return std::unexpected(descriptor.error());
  return OutputFile(*descriptor, path, {});
}

Result<void> OutputFile::write(ByteSpan bytes) {
  while (!bytes.empty()) {
    const ssize_t written = retry([&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
    if (written < 0) return make_output_error("cannot be written", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Result<std::unique_ptr<ByteSource>> OutputFile::open_written() const {
  if (temporary_.empty()) return make_output_error("is written directly, so the output cannot be read back");
  return open_file(temporary_);
}

Result<void> OutputFile::set_attributes() const {
  if (replaced_ && identify_file(target_) != replaced_)
    return make_output_error("was changed after it was read, so it was not replaced");
  struct stat status{};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists) {
    if (auto copied = copy_metadata(target_, status, descriptor_); !copied) return copied;
  }
  // This comes last, because an access control list among the attributes may change the permissions.
  if (::fchmod(descriptor_, exists ? mode_ & status.st_mode : mode_) != 0)
    return make_output_error("cannot be given its permissions", errno);
  if (times_ && ::futimens(descriptor_, times_->data()) != 0)
    return make_output_error("cannot be given the times of the input", errno);
  return {};
}

Result<void> OutputFile::close_descriptor() {
  // Even if close() fails with EINTR, Linux has closed the descriptor.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) {
    return make_output_error("cannot be written", errno);
  }
  return {};
}

Result<void> OutputFile::commit() {
  if (descriptor_ < 0) return make_output_error("has already been committed");
  if (temporary_.empty()) return close_descriptor();
  if (auto set = set_attributes(); !set) return set;
  if (is_durable_ && retry([&] { return ::fsync(descriptor_); }) != 0)
    return make_output_error("cannot be flushed to disk", errno);
  if (auto closed = close_descriptor(); !closed) return closed;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    return make_output_error("cannot be moved to its final name", errno);
  }
  temporary_.clear();
  forget_pending(std::exchange(slot_, no_slot));
  return is_durable_ ? sync_folder(target_) : Result<void>();
}

void remove_pending_outputs() {
  const int code = errno;
  for (Slot& slot : slots) {
    if (!take_slot(slot, slot_pending)) continue;
    ::unlink(slot.path.data());
    slot.state.store(slot_free);
  }
  errno = code;
}

}  // namespace heapcheck::core
