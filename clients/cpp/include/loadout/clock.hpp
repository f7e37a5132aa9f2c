/** The two clocks of a client, and the platform's. */
#pragma once

#include <chrono>
#include <cstdint>

namespace loadout {

class Clock {
 public:
  virtual ~Clock() = default;
  /** Milliseconds since 1970, by the device. A player can set it. */
  virtual std::int64_t wallMs() = 0;
  /** Milliseconds since any moment; never goes back. All delays and time-outs follow it. */
  virtual std::int64_t monotonicMs() = 0;
};

class SystemClock final : public Clock {
 public:
  std::int64_t wallMs() override { return since(std::chrono::system_clock::now()); }
  std::int64_t monotonicMs() override { return since(std::chrono::steady_clock::now()); }

 private:
  template <typename TimePoint>
  static std::int64_t since(TimePoint now) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  }
};

}  // namespace loadout
