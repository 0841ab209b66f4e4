// A library to preload: makes one allocation or one system call fail, counted from the start of main(). Its
// environment:
//   FAULT_KIND   alloc or call
//   FAULT_AT     the number of the one that fails, starting at 1; 0: none
//   FAULT_ERROR  EIO, ENOSPC, EINTR or short (only half of the bytes), for calls
//   FAULT_LAST   the number of the last one that fails (default: FAULT_AT)
//   FAULT_COUNT  a file that gets the number of allocations or calls when the program exits
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string_view>

// The C library determines the names, and names its parameters differently.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
// glibc's own allocator, under the names that remain when malloc() is replaced.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* memory);
}

namespace {

enum class Kind { none, alloc, call };
enum class Fault { none, fails, is_short };

struct Settings {
  Kind kind = Kind::none;
  long first = 0;
  long last = 0;
  int error = 0;  // 0: the call transfers only half of the bytes
  std::FILE* count_file = nullptr;
};

Settings settings;
std::atomic<long> count{0};
std::atomic<bool> is_counting{false};

long number_in(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atol(text);
}

std::string_view text_in(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

int parse_error(std::string_view name) {
  if (name == "EIO") return EIO;
  if (name == "ENOSPC") return ENOSPC;
  return name == "EINTR" ? EINTR : 0;
}

bool is_next(Kind kind) {
  if (settings.kind != kind || !is_counting) return false;
  const long number = ++count;
  return number >= settings.first && number <= settings.last;
}

bool allocation_fails() {
  if (!is_next(Kind::alloc)) return false;
  errno = ENOMEM;
  return true;
}

/// The fault of the next system call. Not every call can fail with every error.
Fault next_fault(bool can_be_interrupted, bool can_be_full, bool can_be_short) {
  if (!is_next(Kind::call)) return Fault::none;
  if (settings.error == 0) return can_be_short ? Fault::is_short : Fault::none;
  if (settings.error == EINTR && !can_be_interrupted) return Fault::none;
  if (settings.error == ENOSPC && !can_be_full) return Fault::none;
  errno = settings.error;
  return Fault::fails;
}

std::size_t shorten(Fault fault, std::size_t size) {
  return fault == Fault::is_short ? std::max<std::size_t>(size / 2, 1) : size;
}

template <class Function>
Function find_original(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

using Main = int (*)(int, char**, char**);
Main original_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  is_counting = true;
  const int status = original_main(argc, argv, environment);
  is_counting = false;
  return status;
}

void read_settings() {
  const std::string_view kind = text_in("FAULT_KIND");
  settings.first = number_in("FAULT_AT", 0);
  settings.last = number_in("FAULT_LAST", settings.first);
  settings.error = parse_error(text_in("FAULT_ERROR"));
  // The file is opened now because the program may later give up its right to open files.
  if (const char* const path = text_in("FAULT_COUNT").data(); *path != '\0')
    settings.count_file = std::fopen(path, "w");
  if (kind == "alloc") settings.kind = Kind::alloc;
  if (kind == "call") settings.kind = Kind::call;
}

__attribute__((destructor)) void write_count() {
  is_counting = false;
  if (settings.count_file == nullptr) return;
  std::fprintf(settings.count_file, "%ld\n", count.load());
  std::fclose(settings.count_file);
}

}  // namespace

// The program must find these functions instead of those in the C library.
#pragma GCC visibility push(default)
extern "C" {

int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                      void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  read_settings();
  original_main = main;
  return find_original<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini,
                                                   stack_end);
}

void* malloc(std::size_t size) { return allocation_fails() ? nullptr : __libc_malloc(size); }

void* calloc(std::size_t number, std::size_t size) {
  return allocation_fails() ? nullptr : __libc_calloc(number, size);
}

void* realloc(void* old, std::size_t size) {
  return allocation_fails() ? nullptr : __libc_realloc(old, size);
}

void free(void* memory) { __libc_free(memory); }

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocation_fails() ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  if (allocation_fails()) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (next_fault(true, (flags & O_CREAT) != 0, false) == Fault::fails) return -1;
  return static_cast<int>(::syscall(SYS_openat, AT_FDCWD, path, flags, mode));
}

int openat(int folder, const char* path, int flags, ...) {
  if (next_fault(true, false, false) == Fault::fails) return -1;
  return static_cast<int>(::syscall(SYS_openat, folder, path, flags, 0));
}

struct dirent* readdir(DIR* folder) {
  static const auto original = find_original<struct dirent* (*)(DIR*)>("readdir");
  return next_fault(false, false, false) == Fault::fails ? nullptr : original(folder);
}

std::FILE* tmpfile() {
  static const auto original = find_original<std::FILE* (*)()>("tmpfile");
  return next_fault(true, true, false) == Fault::fails ? nullptr : original();
}

int fflush(std::FILE* file) {
  static const auto original = find_original<int (*)(std::FILE*)>("fflush");
  return next_fault(true, true, false) == Fault::fails ? EOF : original(file);
}

ssize_t read(int descriptor, void* buffer, std::size_t size) {
  const Fault fault = next_fault(true, false, true);
  return fault == Fault::fails ? -1 : ::syscall(SYS_read, descriptor, buffer, shorten(fault, size));
}

ssize_t pread(int descriptor, void* buffer, std::size_t size, off_t offset) {
  const Fault fault = next_fault(true, false, true);
  return fault == Fault::fails ? -1
                               : ::syscall(SYS_pread64, descriptor, buffer, shorten(fault, size), offset);
}

ssize_t pread64(int descriptor, void* buffer, std::size_t size, off_t offset) {
  return pread(descriptor, buffer, size, offset);
}

ssize_t write(int descriptor, const void* buffer, std::size_t size) {
  const Fault fault = next_fault(true, true, true);
  return fault == Fault::fails ? -1 : ::syscall(SYS_write, descriptor, buffer, shorten(fault, size));
}

int fsync(int descriptor) {
  if (next_fault(true, true, false) == Fault::fails) return -1;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int rename(const char* from, const char* to) {
  if (next_fault(false, true, false) == Fault::fails) return -1;
  return static_cast<int>(::syscall(SYS_rename, from, to));
}

/// Closes the descriptor even if it fails, as Linux does.
int close(int descriptor) {
  const Fault fault = next_fault(true, true, false);
  const int error = errno;
  const int status = static_cast<int>(::syscall(SYS_close, descriptor));
  if (fault != Fault::fails) return status;
  errno = error;
  return -1;
}

int fstat(int descriptor, struct stat* status) {
  static const auto original = find_original<int (*)(int, struct stat*)>("fstat");
  return next_fault(false, false, false) == Fault::fails ? -1 : original(descriptor, status);
}

int stat(const char* path, struct stat* status) {
  static const auto original = find_original<int (*)(const char*, struct stat*)>("stat");
  return next_fault(false, false, false) == Fault::fails ? -1 : original(path, status);
}

int fchmod(int descriptor, mode_t mode) {
  if (next_fault(false, false, false) == Fault::fails) return -1;
  return static_cast<int>(::syscall(SYS_fchmod, descriptor, mode));
}

int ftruncate(int descriptor, off_t size) {
  if (next_fault(true, true, false) == Fault::fails) return -1;
  return static_cast<int>(::syscall(SYS_ftruncate, descriptor, size));
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto original = find_original<Create>("pthread_create");
  if (next_fault(false, false, false) == Fault::fails) return EAGAIN;
  return original(thread, attributes, start, argument);
}

}  // extern "C"

// These operators use the functions above, like the operators of the C++ library. The allocator that is
// linked into the program has its own operators, which do not.
namespace {

void* allocate(std::size_t size, std::size_t alignment) {
  constexpr std::size_t usual = alignof(std::max_align_t);
  return alignment <= usual ? malloc(std::max<std::size_t>(size, 1)) : aligned_alloc(alignment, size);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  if (void* const memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, 1); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { free(memory); }
void operator delete[](void* memory) noexcept { free(memory); }
void operator delete(void* memory, std::size_t) noexcept { free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { free(memory); }
#pragma GCC visibility pop
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)
