/** Reads values of the active configuration. */
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "loadout/detail/configuration.hpp"
#include "loadout/detail/configurations.hpp"
#include "loadout/detail/json.hpp"
#include "loadout/detail/json_pointer.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/number.hpp"
#include "loadout/detail/run.hpp"
#include "loadout/value.hpp"

namespace loadout {

/** The part of a client that returns values. They change in `start`, `setUser` and `activate` only, all at once. */
class Reader {
 public:
  /** The value at a JSON Pointer, if it is a boolean; else the default. */
  Value<bool> get(std::string_view id, std::string_view pointer, bool defaultValue) const {
    const std::string_view json = find(id, pointer);
    const bool isBoolean = detail::kindOf(json) == detail::JsonKind::Boolean;
    return valueOf(isBoolean, json == "true", defaultValue);
  }

  /** The value, if it is an integer in the range of the default's type. */
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool> &&
                                                    (sizeof(T) < sizeof(std::int64_t) || std::is_signed_v<T>)>>
  Value<T> get(std::string_view id, std::string_view pointer, T defaultValue) const {
    const std::string_view json = find(id, pointer);
    const auto integer = detail::kindOf(json) == detail::JsonKind::Number ? detail::toInteger(json) : std::nullopt;
    const bool isIn = integer && *integer >= static_cast<std::int64_t>(std::numeric_limits<T>::min()) &&
                      *integer <= static_cast<std::int64_t>(std::numeric_limits<T>::max());
    return valueOf(isIn, isIn ? static_cast<T>(*integer) : defaultValue, defaultValue);
  }

  /** The value, if it is a number that is finite as a double. */
  Value<double> get(std::string_view id, std::string_view pointer, double defaultValue) const {
    const std::string_view json = find(id, pointer);
    const auto number = detail::kindOf(json) == detail::JsonKind::Number ? detail::toDouble(json) : std::nullopt;
    return valueOf(number.has_value(), number.value_or(defaultValue), defaultValue);
  }

  /** The value, if it is a string. Half a surrogate pair, which UTF-8 cannot hold, becomes U+FFFD. */
  Value<std::string> get(std::string_view id, std::string_view pointer, std::string_view defaultValue) const {
    const std::string_view json = find(id, pointer);
    const bool isString = detail::kindOf(json) == detail::JsonKind::String;
    return valueOf(isString, isString ? detail::unquoted(json) : std::string(), std::string(defaultValue));
  }

  Value<std::string> get(std::string_view id, std::string_view pointer, const char* defaultValue) const {
    return get(id, pointer, std::string_view(defaultValue == nullptr ? "" : defaultValue));
  }

  /** The JSON text of the value, if it is an object or array. */
  Value<std::string> getJson(std::string_view id, std::string_view pointer, std::string_view defaultValue) const {
    const std::string_view json = find(id, pointer);
    const auto kind = detail::kindOf(json);
    const bool isContainer = kind == detail::JsonKind::Object || kind == detail::JsonKind::Array;
    return valueOf(isContainer, std::string(json), std::string(defaultValue));
  }

 protected:
  Reader() = default;
  ~Reader() = default;

 private:
  virtual const detail::Run& running() const = 0;

  std::string_view find(std::string_view id, std::string_view pointer) const {
    const detail::Content* content = running().configurations.contentOf(id);
    return content == nullptr ? std::string_view() : detail::findPointer(content->data, pointer);
  }

  template <typename T>
  Value<T> valueOf(bool isFound, T found, T defaultValue) const {
    const detail::Configurations& configurations = running().configurations;
    const auto& active = configurations.active();
    const auto changesAtMs = active ? active->changesAtMs() : std::nullopt;
    Value<T> value{isFound ? std::move(found) : std::move(defaultValue), Source::Default, false};
    if (isFound) value.source = configurations.source();
    value.isPastChange = changesAtMs && running().wallMs() >= *changesAtMs;
    return value;
  }
};

}  // namespace loadout
