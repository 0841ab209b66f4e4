#include "cli/shell/interrupt.hpp"

#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

namespace heapcheck::cli {
namespace {

std::atomic<bool> has_interrupt = false;
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int /*number*/) { has_interrupt = true; }

}  // namespace

void catch_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
}

bool was_interrupted() { return has_interrupt; }
bool wait_for_input() {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  while (!was_interrupted()) {
    if (::poll(&input, 1, static_cast<int>(interrupt_pause.count())) > 0) return true;
  }
  return false;
}

void forget_interrupt() { has_interrupt = false; }

}  // namespace heapcheck::cli
