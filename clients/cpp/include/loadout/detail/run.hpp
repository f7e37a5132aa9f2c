/** What all parts of a client share in a run. */
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "loadout/clock.hpp"
#include "loadout/detail/callbacks.hpp"
#include "loadout/detail/configurations.hpp"
#include "loadout/detail/network.hpp"
#include "loadout/detail/timers.hpp"
#include "loadout/options.hpp"

namespace loadout::detail {

struct Run {
  /** User and attributes are those of the moment. */
  Options& options;
  Clock& clock;
  Timers& timers;
  Callbacks& callbacks;
  Network& network;
  Configurations& configurations;

  bool isStarted = false;
  bool isSuspended = false;
  bool isStopped = false;
  /** The key was rejected: nothing is sent until the game asks. */
  bool isUnauthorized = false;

  bool isQuiet() const { return !isStarted || isSuspended || isStopped || isUnauthorized; }
  std::int64_t nowMs() const { return clock.monotonicMs(); }
  /** By the server's clock. */
  std::int64_t wallMs() const { return clock.wallMs() + configurations.clockDifferenceMs(); }
  double random() const { return options.random(); }
};

/** What the client does about what its parts learn. */
class Owner {
 public:
  virtual ~Owner() = default;
  /** A configuration is complete, or was found to be so still. */
  virtual void onComplete() = 0;
  /** The server cannot be used; said once for four failures in a row, and for each rejection. */
  virtual void onUnusable(const std::string& code) = 0;
  /** The key was rejected. */
  virtual void onUnauthorized() = 0;
};

}  // namespace loadout::detail
