/** A configuration: everything that one player gets, all of one sequence. */
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loadout/detail/crc32.hpp"
#include "loadout/detail/instant.hpp"

namespace loadout::detail {

/** A content item as it was delivered. */
struct Content {
  /** In the spelling in which it came. */
  std::string id;
  /** JSON text. */
  std::string data;
  std::string hash;
  /** 16 hex digits that stand for what the player gets. */
  std::string tag;
  /** CRC-32 of `data`, 8 hex digits. */
  std::string crc;
  /** JSON text of an array. */
  std::string seg;
};

/** By id in lower case, so in the order of its bytes. Versions of a configuration share what is the same. */
using Contents = std::map<std::string, std::shared_ptr<const Content>, std::less<>>;

inline std::string toLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

inline std::string fingerprintOf(const Contents& contents) {
  std::string lines;
  for (const auto& [id, content] : contents) {
    lines += id;
    lines += ':';
    lines += content->tag;
    lines += '\n';
  }
  return crcText(lines);
}

struct Configuration {
  std::string store;
  std::int64_t sequence = 0;
  /** RFC 3339; empty: the clock alone changes nothing. */
  std::string changesAt;
  /** Of the app that got it from the server. */
  std::string appVersion;
  /** What the server wants back when the configuration has proved itself or failed; empty: nothing. */
  std::string receipt;
  std::string fingerprint;
  std::shared_ptr<const Contents> contents;

  /** As milliseconds since 1970. */
  std::optional<std::int64_t> changesAtMs() const { return parseInstant(changesAt); }
};

inline bool isSame(const std::optional<Configuration>& one, const std::optional<Configuration>& other) {
  return one.has_value() == other.has_value() && (!one || one->fingerprint == other->fingerprint);
}

/** The ids that differ between two configurations, in lower case, sorted. */
inline std::vector<std::string> differingIds(const std::optional<Configuration>& one,
                                             const std::optional<Configuration>& other) {
  const Contents none;
  const Contents& left = one ? *one->contents : none;
  const Contents& right = other ? *other->contents : none;
  std::vector<std::string> ids;
  auto a = left.begin();
  auto b = right.begin();
  while (a != left.end() || b != right.end()) {
    if (b == right.end() || (a != left.end() && a->first < b->first)) {
      ids.push_back((a++)->first);
    } else if (a == left.end() || b->first < a->first) {
      ids.push_back((b++)->first);
    } else {
      if (a->second->tag != b->second->tag) ids.push_back(a->first);
      ++a;
      ++b;
    }
  }
  return ids;
}

}  // namespace loadout::detail
