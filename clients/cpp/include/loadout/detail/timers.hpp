/** The timers of a client: few, so a list that `update` looks through. */
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace loadout::detail {

class Timer {
 public:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  explicit Timer(std::function<void()> action) : action_(std::move(action)) {}

  void set(std::int64_t dueMs) { dueMs_ = dueMs; }
  void clear() { dueMs_ = never; }
  bool isSet() const { return dueMs_ != never; }
  std::int64_t dueMs() const { return dueMs_; }

  void fire() {
    clear();
    action_();
  }

 private:
  std::function<void()> action_;
  std::int64_t dueMs_ = never;
};

class Timers {
 public:
  /** `timer` lives as long as this. */
  void add(Timer& timer) { timers_.push_back(&timer); }

  std::int64_t nextDueMs() const {
    std::int64_t next = Timer::never;
    for (const Timer* timer : timers_) next = std::min(next, timer->dueMs());
    return next;
  }

  /** Fires what is due, the earliest first. What an action sets for now waits for the next time. */
  void run(std::int64_t nowMs) {
    for (std::size_t left = timers_.size(); left > 0; --left) {
      Timer* first = nullptr;
      for (Timer* timer : timers_) {
        if (timer->dueMs() <= nowMs && (first == nullptr || timer->dueMs() < first->dueMs())) first = timer;
      }
      if (first == nullptr) return;
      first->fire();
    }
  }

 private:
  std::vector<Timer*> timers_;
};

/** A random delay before the next attempt, of 0 to min(2^(failures - 1), `secondsMax`) seconds. */
inline std::int64_t backoffMs(int failures, double secondsMax, double random) {
  const double seconds = std::min(std::ldexp(1.0, std::min(failures - 1, 30)), secondsMax);
  return static_cast<std::int64_t>(random * seconds * 1'000);
}

}  // namespace loadout::detail
