#include "cli/system/sandbox.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <system_error>

namespace heapcheck::cli {
namespace {

namespace fs = std::filesystem;

#ifdef HEAPCHECK_SANITIZED
constexpr bool is_sanitized = true;
#else
constexpr bool is_sanitized = false;
#endif

constexpr std::uint64_t read_rights = LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t write_rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE;
/// The rights needed to write a temporary file in a folder, to rename it, and to make the change durable.
constexpr std::uint64_t folder_rights =
    write_rights | LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE;
/// Everything that the first version of Landlock controls: the first 13 bits. Later versions control more,
/// such as truncation, but truncating a file requires the right to write to it anyway.
constexpr std::uint64_t handled_rights = (std::uint64_t{1} << 13U) - 1;

/// A set of rules. Everything that no rule allows is denied.
class Ruleset {
 public:
  Ruleset() {
    const landlock_ruleset_attr attributes{.handled_access_fs = handled_rights};
    number_ = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0));
  }
  Ruleset(const Ruleset&) = delete;
  Ruleset& operator=(const Ruleset&) = delete;
  ~Ruleset() {
    if (number_ >= 0) ::close(number_);
  }

  /// Allows `rights` for the file at `path`, or for everything in the folder at `path`. Does nothing if there
  /// is no such file or folder.
  void allow(const std::string& path, std::uint64_t rights) const {
    int file = -1;
    do {
      file = ::open(path.c_str(), O_PATH | O_CLOEXEC);
    } while (file < 0 && errno == EINTR);
    if (file < 0) return;
    const landlock_path_beneath_attr rule{.allowed_access = rights, .parent_fd = file};
    ::syscall(SYS_landlock_add_rule, number_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    ::close(file);
  }
  void restrict() const { ::syscall(SYS_landlock_restrict_self, number_, 0); }

 private:
  int number_;  // negative if Landlock is not supported, in which case the calls fail
};

/// std::filesystem functions report a lack of memory like any other error, so the folder would remain
/// unknown.
void throw_if_out_of_memory(const std::error_code& code) {
  if (code == std::errc::not_enough_memory) throw std::bad_alloc();
}

/// Allows the file at `path` to be replaced or written directly, as OutputFile does.
void allow_output(const Ruleset& rules, const std::string& path) {
  if (path == "-") return allow_output(rules, "/dev/stdout");
  std::error_code code;
  if (fs::is_directory(path, code)) return rules.allow(path, folder_rights);  // for the tables of an export
  if (fs::exists(path, code) && !fs::is_regular_file(path, code)) return rules.allow(path, write_rights);
  const fs::path absolute = fs::absolute(path, code);
  throw_if_out_of_memory(code);
  const fs::path target = fs::weakly_canonical(absolute, code);
  throw_if_out_of_memory(code);
  rules.allow(target.parent_path().string(), folder_rights);
}

void restrict_files(const Access& access) {
  const Ruleset rules;
  for (const std::string& path : access.inputs) rules.allow(path, read_rights);
  for (const std::string& output : {access.output, access.other_output}) {
    if (!output.empty()) allow_output(rules, output);
  }
  for (const std::string& folder : access.folders) rules.allow(folder, folder_rights);
  if (access.needs_temporary) {
    const char* const folder = std::getenv("TMPDIR");
    rules.allow(folder != nullptr && *folder != '\0' ? folder : P_tmpdir, folder_rights);
  }
  rules.restrict();
}

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

/// The system calls that start or control programs or create sockets. The last one sets up a queue of calls
/// that the filter cannot see.
constexpr std::array denied_calls{SYS_execve,     SYS_execveat, SYS_socket,
                                  SYS_socketpair, SYS_ptrace,   SYS_io_uring_setup};

/// The first number used for x86-64 system calls with 32-bit pointers, which duplicate other calls.
constexpr std::uint32_t first_x32_call = 0x40000000;

void deny_calls() {
  if (architecture == 0) return;
  constexpr std::uint32_t deny = SECCOMP_RET_ERRNO | 1U;  // EPERM
  std::array<sock_filter, 2 * denied_calls.size() + 8> program{};
  std::size_t length = 0;
  const auto add = [&](sock_filter step) { program[length++] = step; };
  add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
  add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
  add(BPF_STMT(BPF_RET | BPF_K, deny));
  add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first_x32_call, 0, 1));
  add(BPF_STMT(BPF_RET | BPF_K, deny));
  for (const long call : denied_calls) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    add(BPF_STMT(BPF_RET | BPF_K, deny));
  }
  add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{.len = static_cast<unsigned short>(length), .filter = program.data()};
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

}  // namespace

void enter_sandbox(const Access& access) {
  if (is_sanitized || ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
  restrict_files(access);
  deny_calls();
}

}  // namespace heapcheck::cli
