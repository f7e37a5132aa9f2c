/** What `get` returns. */
#pragma once

namespace loadout {

/** Where a configuration came from. */
enum class Source {
  /** There is none, or it does not have the value: the caller's default. */
  Default,
  /** What the build was shipped with. */
  Baseline,
  /** A configuration of an earlier run. */
  Cache,
  /** The server, in this run. */
  Server,
};

/** `server`, `cache`, `baseline` or `default`. */
inline const char* nameOf(Source source) {
  switch (source) {
    case Source::Server: return "server";
    case Source::Cache: return "cache";
    case Source::Baseline: return "baseline";
    case Source::Default: break;
  }
  return "default";
}

template <typename T>
struct Value {
  T value;
  Source source = Source::Default;
  /** The value may have ended: a game refuses to sell an offer while this is true. */
  bool isPastChange = false;

  operator const T&() const { return value; }
};

}  // namespace loadout
