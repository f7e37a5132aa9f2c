/** A command of the runner, and the JSON of what it gets back. */
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loadout/detail/json.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/number.hpp"

namespace driver {

using loadout::detail::appendMember;
using loadout::detail::appendName;
using loadout::detail::appendQuoted;
using loadout::detail::JsonElements;
using loadout::detail::JsonKind;
using loadout::detail::kindOf;
using loadout::detail::memberOf;
using loadout::detail::textOf;

/** A command's members, as they are written. */
class Command {
 public:
  explicit Command(std::string line) : line_(std::move(line)) {}

  std::string_view member(std::string_view name) const { return memberOf(line_, name); }
  std::string text(std::string_view name) const { return textOf(member(name)); }
  bool isTrue(std::string_view name, bool isDefault = false) const {
    return member(name).empty() ? isDefault : member(name) == "true";
  }
  double number(std::string_view name, double otherwise = 0) const {
    if (kindOf(member(name)) != JsonKind::Number) return otherwise;
    return loadout::detail::toDouble(member(name)).value_or(otherwise);
  }
  std::int64_t integer(std::string_view name) const { return static_cast<std::int64_t>(number(name)); }

 private:
  std::string line_;
};

inline std::string jsonOf(std::string_view text) {
  std::string out;
  appendQuoted(out, text);
  return out;
}

inline std::string jsonOrNull(const std::string& text) { return text.empty() ? "null" : jsonOf(text); }

inline std::string listOf(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) {
    if (out.size() > 1) out += ',';
    appendQuoted(out, text);
  }
  return out + ']';
}

}  // namespace driver
