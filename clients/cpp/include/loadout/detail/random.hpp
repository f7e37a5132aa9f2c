/** Random numbers for delays and the ids of events: no secrets. */
#pragma once

#include <chrono>
#include <cstdint>

namespace loadout::detail {

/** SplitMix64, from 0 to below 1. Its seed differs between processes that start in the same millisecond. */
class Random {
 public:
  explicit Random(std::int64_t wallMs) {
    const auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
    state_ = static_cast<std::uint64_t>(wallMs) * 0x9E3779B97F4A7C15u;
    state_ ^= static_cast<std::uint64_t>(ticks) + static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(this));
  }

  double operator()() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    mixed ^= mixed >> 31;
    return static_cast<double>(mixed >> 11) / 9'007'199'254'740'992.0;
  }

 private:
  std::uint64_t state_ = 0;
};

}  // namespace loadout::detail
