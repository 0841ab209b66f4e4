#include "cli/shell/interrupt.hpp"

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
  action.sa_handler = on_interrupt;  // without SA_RESTART, so that reading a line ends
  ::sigaction(SIGINT, &action, nullptr);
}

bool was_interrupted() { return has_interrupt; }
void forget_interrupt() { has_interrupt = false; }

}  // namespace heapcheck::cli
