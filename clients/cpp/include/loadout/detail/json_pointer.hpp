/** Finds a value by JSON Pointer (RFC 6901) in checked JSON text. */
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "loadout/detail/json.hpp"
#include "loadout/detail/json_text.hpp"

namespace loadout::detail {

/** Decodes `~0` and `~1`. False: the token is none. */
inline bool decodeToken(std::string_view token, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < token.size(); ++at) {
    if (token[at] != '~') {
      out.push_back(token[at]);
      continue;
    }
    if (++at >= token.size() || (token[at] != '0' && token[at] != '1')) return false;
    out.push_back(token[at] == '0' ? '~' : '/');
  }
  return true;
}

/** The element at an index without leading zeros; empty if there is none. */
inline std::string_view elementAt(std::string_view array, std::string_view index) {
  // Nine digits count more elements than a text can hold.
  if (index.empty() || index.size() > 9 || (index.size() > 1 && index.front() == '0')) return {};
  std::size_t left = 0;
  for (const char c : index) {
    if (!isDigit(c)) return {};
    left = left * 10 + static_cast<std::size_t>(c - '0');
  }
  for (JsonElements elements(array); elements.next(); --left) {
    if (left == 0) return elements.value;
  }
  return {};
}

/** The value as it is written; empty if the pointer is none, or leads nowhere. Of equal members the last one counts. */
inline std::string_view findPointer(std::string_view json, std::string_view pointer) {
  std::string_view value = trimmed(json);
  std::string token;
  while (!pointer.empty() && !value.empty()) {
    if (pointer.front() != '/') return {};
    pointer.remove_prefix(1);
    const std::size_t end = pointer.find('/');
    if (!decodeToken(pointer.substr(0, end), token)) return {};
    pointer = end == std::string_view::npos ? std::string_view() : pointer.substr(end);
    const JsonKind kind = kindOf(value);
    if (kind == JsonKind::Object) {
      value = memberOf(value, token);
    } else if (kind == JsonKind::Array) {
      value = elementAt(value, token);
    } else {
      return {};
    }
  }
  return value;
}

}  // namespace loadout::detail
