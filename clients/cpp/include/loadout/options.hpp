/** What a client is made with. */
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "loadout/clock.hpp"
#include "loadout/storage.hpp"
#include "loadout/transport.hpp"

namespace loadout {

/** How a client learns of changes after `start`. */
enum class Updates { Stream, Poll, None };

/** All text is UTF-8. */
struct Options {
  /** Address of the delivery port: `https://config.example.com`. */
  std::string url;
  /** API key of the environment. */
  std::string key;
  /** An account, or a random id that the game keeps. */
  std::string user;
  /** JSON text of an object, for targeting. */
  std::string attributes = "{}";
  /** X.Y.Z; empty: none. */
  std::string appVersion;
  /** Content ids that the game wants; empty: all. */
  std::vector<std::string> ids;
  /** Text that `loadout export --baseline` wrote; empty: none. */
  std::string baseline;
  /** Required: `CurlTransport`, or the engine's. */
  std::shared_ptr<Transport> transport;
  /** None: in memory only. */
  std::shared_ptr<Storage> storage;
  Updates updates = Updates::Stream;
  /** Between polls where there is no stream. */
  double pollSeconds = 300;
  /** Applies each configuration as it arrives; for tools. */
  bool autoActivate = false;
  /** `expose` and `track` do nothing until `setConsent(true)`. */
  bool consentRequired = false;
  /** Called with a stable code and a sentence, inside `update`. */
  std::function<void(const std::string& code, const std::string& sentence)> log;
  /** None: `SystemClock`. */
  std::shared_ptr<Clock> clock;
  /** At least 0, below 1. None: a generator of the client's own. */
  std::function<double()> random;
};

}  // namespace loadout
