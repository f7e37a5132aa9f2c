/** Finds what is wrong with options. */
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "loadout/detail/json.hpp"
#include "loadout/detail/json_check.hpp"
#include "loadout/detail/page.hpp"
#include "loadout/detail/utf8.hpp"
#include "loadout/options.hpp"

namespace loadout::detail {

/** Three runs of 1 to 9 digits. */
inline bool isAppVersion(std::string_view version) {
  int parts = 0;
  while (parts < 3) {
    std::size_t digits = 0;
    while (digits < version.size() && isDigit(version[digits])) ++digits;
    if (digits == 0 || digits > 9) return false;
    version.remove_prefix(digits);
    if (++parts == 3) return version.empty();
    if (version.empty() || version.front() != '.') return false;
    version.remove_prefix(1);
  }
  return false;
}

inline bool isJsonObject(std::string_view text) {
  return kindOf(trimmed(text)) == JsonKind::Object && isJson(text);
}

inline bool isVisibleAscii(std::string_view text) {
  for (const char c : text) {
    if (c <= ' ' || c > '~') return false;
  }
  return !text.empty();
}

/** A sentence; empty: nothing is wrong. */
inline std::string problemOf(const Options& options) {
  const std::string_view url = options.url;
  const bool isHttp = url.substr(0, 7) == "http://" && url.size() > 7;
  const bool isHttps = url.substr(0, 8) == "https://" && url.size() > 8;
  if ((!isHttp && !isHttps) || !isVisibleAscii(url)) return "url is no address that begins with http:// or https://.";
  if (!isVisibleAscii(options.key)) return "key is empty or has characters that no API key has.";
  if (!isUtf8(options.user)) return "user is not UTF-8.";
  if (!isJsonObject(options.attributes)) return "attributes are no JSON object.";
  if (!options.appVersion.empty() && !isAppVersion(options.appVersion)) return "appVersion is not X.Y.Z.";
  for (const std::string& id : options.ids) {
    if (!isContentId(id)) return "ids has a text that is no content id.";
  }
  if (!std::isfinite(options.pollSeconds) || options.pollSeconds < 1) return "pollSeconds is below 1.";
  if (options.transport == nullptr) return "transport is missing.";
  return {};
}

}  // namespace loadout::detail
