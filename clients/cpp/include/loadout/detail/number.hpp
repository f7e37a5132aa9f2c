/** Numbers of JSON without the locale and without the C library's readers, which differ between platforms. */
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "loadout/detail/decimal.hpp"

namespace loadout::detail {

/**
 * A number that is an integer of 64 bits: `5`, `5.0`, `1e3`; with a fraction or an exponent only below 2^53, where all
 * readers of JSON agree.
 */
inline std::optional<std::int64_t> toInteger(std::string_view lexeme) {
  const Decimal decimal = readDecimal(lexeme);
  constexpr std::uint64_t exactMax = (std::uint64_t{1} << 53) - 1;
  std::uint64_t magnitude = 0;
  if (decimal.exponent < 0 || decimal.exponent > 19) return std::nullopt;
  if (decimal.digits.size() + static_cast<std::size_t>(decimal.exponent) > 19) return std::nullopt;
  for (const char digit : decimal.digits) magnitude = magnitude * 10 + static_cast<std::uint64_t>(digit - '0');
  for (int left = decimal.exponent; left > 0; --left) magnitude *= 10;
  const bool isPlain = lexeme.find_first_of(".eE") == std::string_view::npos;
  const std::uint64_t max = isPlain ? std::uint64_t{1} << 63 : exactMax;
  if (magnitude > max || (magnitude == max && isPlain && !decimal.isNegative)) return std::nullopt;
  if (!decimal.isNegative) return static_cast<std::int64_t>(magnitude);
  // The lowest integer has no positive twin.
  return magnitude == 0 ? 0 : -static_cast<std::int64_t>(magnitude - 1) - 1;
}

/** A number that is finite as a double, correctly rounded. */
inline std::optional<double> toDouble(std::string_view lexeme) {
  const double value = roundDecimal(readDecimal(lexeme));
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

/** The shortest of 15, 16 or 17 digits that reads back as the same double. `value` is finite. */
inline std::string formatDouble(double value) {
  std::string text;
  for (int precision = 15; precision <= 17; ++precision) {
    char buffer[48];
    const int length = std::snprintf(buffer, sizeof buffer, "%.*g", precision, value);
    text.clear();
    for (int at = 0; at < length; ++at) {
      // The only other characters are those of a locale's decimal separator, of one byte or several.
      const bool isOwn = std::string_view("0123456789+-e").find(buffer[at]) != std::string_view::npos;
      if (isOwn) text.push_back(buffer[at]);
      else if (text.back() != '.') text.push_back('.');
    }
    if (toDouble(text) == value) break;
  }
  return text;
}

}  // namespace loadout::detail
