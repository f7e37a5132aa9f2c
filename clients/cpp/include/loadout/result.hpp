/** What calls complete with, and what listeners hear. */
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "loadout/value.hpp"

namespace loadout {

struct StartResult {
  /** Where the active configuration came from; `Default`: there is none. */
  Source source = Source::Default;
  /** 0: there is none. */
  std::int64_t sequence = 0;
  /** The run before did not reach `ready` with its configuration. */
  bool isRecovered = false;
  /** A code; empty: the server was used, or was not waited for. */
  std::string failure;
};

enum class RefreshResult { Changed, Unchanged, Failed };

/** `changed`, `unchanged` or `failed`. */
inline const char* nameOf(RefreshResult result) {
  if (result == RefreshResult::Failed) return "failed";
  return result == RefreshResult::Changed ? "changed" : "unchanged";
}

struct WatchEvent {
  enum class Type { Waiting, Activated, Failed };

  Type type = Type::Failed;
  /** Content ids that differ from the active configuration, or from the one before; in lower case, sorted. */
  std::vector<std::string> ids;
  std::int64_t sequence = 0;
  /** Why the server cannot be used; empty for the other types. */
  std::string code;
};

/** `waiting`, `activated` or `failed`. */
inline const char* nameOf(WatchEvent::Type type) {
  if (type == WatchEvent::Type::Failed) return "failed";
  return type == WatchEvent::Type::Waiting ? "waiting" : "activated";
}

using StartCallback = std::function<void(const StartResult&)>;
using RefreshCallback = std::function<void(RefreshResult)>;
using Listener = std::function<void(const WatchEvent&)>;

}  // namespace loadout
