/** Any text: the reader never leaves it, strings survive being quoted, numbers are what the C library makes of them. */
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "loadout/detail/json.hpp"
#include "loadout/detail/json_check.hpp"
#include "loadout/detail/json_pointer.hpp"
#include "loadout/detail/json_text.hpp"
#include "loadout/detail/number.hpp"
#include "promise.hpp"

using namespace loadout::detail;

namespace {

void checkNumber(std::string_view lexeme) {
  const std::string text(lexeme);
  const double expected = std::strtod(text.c_str(), nullptr);
  const auto value = toDouble(lexeme);
  promise(value.has_value() == std::isfinite(expected));
  if (!value) return;
  promise(*value == expected && std::signbit(*value) == std::signbit(expected));
  promise(toDouble(formatDouble(*value)) == *value);
  const auto integer = toInteger(lexeme);
  if (integer) promise(static_cast<double>(*integer) == *value);
  const bool isPlain = lexeme.find_first_of(".eE") == std::string_view::npos;
  const std::string asInteger = std::to_string(std::strtoll(text.c_str(), nullptr, 10));
  if (isPlain) promise(integer.has_value() == (text == "-0" || asInteger == text));
}

void checkString(std::string_view quoted) {
  const std::string text = unquoted(quoted);
  promise(isUtf8(text) && quotedIs(quoted, text));
  std::string again;
  appendQuoted(again, text);
  promise(isJson(again) && unquoted(again) == text);
}

/** Every value in the text, found once by walking and once by its pointer. */
void walk(std::string_view root, std::string_view value, const std::string& pointer, int depth) {
  promise(isJson(value));
  if (kindOf(value) == JsonKind::Number) checkNumber(value);
  if (kindOf(value) == JsonKind::String) checkString(value);
  if (depth > 5) return;
  if (kindOf(value) == JsonKind::Array) {
    int index = 0;
    for (JsonElements elements(value); elements.next(); ++index) {
      const std::string place = pointer + '/' + std::to_string(index);
      promise(findPointer(root, place).data() == elements.value.data());
      walk(root, elements.value, place, depth + 1);
    }
  }
  for (JsonMembers members(value); members.next();) {
    checkString(members.name);
    std::string place = pointer + '/';
    for (const char c : unquoted(members.name)) place += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    promise(!findPointer(root, place).empty());
    const bool isLast = memberOf(value, unquoted(members.name)).data() == members.value.data();
    if (isLast) walk(root, members.value, place, depth + 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  // In memory of its own size, so that a step beyond it is found.
  const std::vector<char> copy(bytes, bytes + size);
  const std::string_view text(copy.data(), copy.size());
  for (JsonMembers members(text); members.next();) unquoted(members.name);
  for (JsonElements elements(text); elements.next();) unquoted(elements.value);
  findPointer(text, "/a/0/~01");
  if (isJson(text)) walk(text, trimmed(text), "", 0);
  return 0;
}
