/** Instants as milliseconds since 1970: from RFC 3339 and from the Date of HTTP, and to RFC 3339. */
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loadout/detail/json.hpp"

namespace loadout::detail {

/** Days since 1970 of a date in the Gregorian calendar: years begin in March, so that a leap day ends one. */
inline std::int64_t daysOf(std::int64_t year, int month, int day) {
  const std::int64_t shifted = month <= 2 ? year - 1 : year;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
  const std::int64_t yearOfEra = shifted - era * 400;
  const std::int64_t dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146'097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719'468;
}

/** `count` digits at `at`; -1 if there is anything else. */
inline int digitsAt(std::string_view text, std::size_t at, std::size_t count) {
  int value = 0;
  for (std::size_t end = at + count; at < end; ++at) {
    if (at >= text.size() || !isDigit(text[at])) return -1;
    value = value * 10 + (text[at] - '0');
  }
  return value;
}

/** The instant of `HH:MM:SS` at `at` on that day. */
inline std::optional<std::int64_t> instantOf(int year, int month, int day, std::string_view text, std::size_t at) {
  const int hour = digitsAt(text, at, 2);
  const int minute = digitsAt(text, at + 3, 2);
  const int second = digitsAt(text, at + 6, 2);
  if (year < 0 || month < 1 || month > 12 || day < 1 || day > 31) return std::nullopt;
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return std::nullopt;
  if (text[at + 2] != ':' || text[at + 5] != ':') return std::nullopt;
  return ((daysOf(year, month, day) * 24 + hour) * 60 + minute) * 60'000 + second * 1'000;
}

/** `2026-11-27T18:00:00Z`, with any fraction of a second and any offset. */
inline std::optional<std::int64_t> parseInstant(std::string_view text) {
  if (text.size() < 20 || text[4] != '-' || text[7] != '-' || (text[10] | 0x20) != 't') return std::nullopt;
  auto instant = instantOf(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2), text, 11);
  if (!instant) return std::nullopt;
  std::size_t at = 19;
  if (text[at] == '.') {
    const std::size_t from = ++at;
    for (int weight = 100; at < text.size() && isDigit(text[at]); ++at, weight /= 10) {
      *instant += (text[at] - '0') * weight;
    }
    if (at == from) return std::nullopt;
  }
  const std::string_view zone = text.substr(at);
  if (zone == "Z" || zone == "z") return instant;
  const int hours = digitsAt(zone, 1, 2);
  const int minutes = digitsAt(zone, 4, 2);
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return std::nullopt;
  if (hours < 0 || minutes < 0) return std::nullopt;
  const std::int64_t offset = (hours * 60 + minutes) * std::int64_t{60'000};
  return zone[0] == '+' ? *instant - offset : *instant + offset;
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that is sent today. */
inline std::optional<std::int64_t> parseHttpDate(std::string_view text) {
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() != 29 || text.substr(25) != " GMT") return std::nullopt;
  const std::size_t month = months.find(text.substr(8, 3));
  if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
  return instantOf(digitsAt(text, 12, 4), static_cast<int>(month / 3) + 1, digitsAt(text, 5, 2), text, 17);
}

inline void appendPadded(std::string& out, std::int64_t value, std::size_t width) {
  const std::string digits = std::to_string(value);
  if (digits.size() < width) out.append(width - digits.size(), '0');
  out += digits;
}

/** `2026-11-27T18:00:00.000Z`. Instants before 1970 or after 9999 become the nearest of those. */
inline std::string formatInstant(std::int64_t ms) {
  constexpr std::int64_t msMax = 253'402'300'799'999;
  ms = ms < 0 ? 0 : ms > msMax ? msMax : ms;
  const std::int64_t days = ms / 86'400'000;
  std::int64_t year = 1970 + days / 366;
  while (daysOf(year + 1, 1, 1) <= days) ++year;
  int month = 1;
  while (month < 12 && daysOf(year, month + 1, 1) <= days) ++month;
  std::string out;
  appendPadded(out, year, 4);
  out.push_back('-');
  appendPadded(out, month, 2);
  out.push_back('-');
  appendPadded(out, days - daysOf(year, month, 1) + 1, 2);
  out.push_back('T');
  appendPadded(out, ms / 3'600'000 % 24, 2);
  out.push_back(':');
  appendPadded(out, ms / 60'000 % 60, 2);
  out.push_back(':');
  appendPadded(out, ms / 1'000 % 60, 2);
  out.push_back('.');
  appendPadded(out, ms % 1'000, 3);
  out.push_back('Z');
  return out;
}

}  // namespace loadout::detail
