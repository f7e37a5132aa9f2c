/** A decimal number as its digits and exponent, and the double nearest to it: exact, by integers of any length. */
#pragma once

#include <array>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace loadout::detail {

/** `digits` times 10^`exponent`; `digits` has no zero at either end, and is empty for 0. */
struct Decimal {
  std::string digits;
  int exponent = 0;
  bool isNegative = false;
};

/** Beyond these a double is infinite or zero, whatever the digits are. */
inline constexpr int exponentMax = 1'000'000'000;

inline int readExponent(std::string_view text) {
  int value = 0;
  bool isNegative = false;
  for (const char c : text) {
    if (c == '-') isNegative = true;
    if (c >= '0' && c <= '9' && value < exponentMax / 10 - 1) value = value * 10 + (c - '0');
  }
  return isNegative ? -value : value;
}

/** @param lexeme a number of checked JSON */
inline Decimal readDecimal(std::string_view lexeme) {
  Decimal decimal;
  const std::size_t e = lexeme.find_first_of("eE");
  std::string_view mantissa = lexeme.substr(0, e);
  std::int64_t exponent = e == std::string_view::npos ? 0 : readExponent(lexeme.substr(e + 1));
  if (!mantissa.empty() && mantissa.front() == '-') {
    decimal.isNegative = true;
    mantissa.remove_prefix(1);
  }
  bool isFraction = false;
  for (const char c : mantissa) {
    if (c == '.') {
      isFraction = true;
      continue;
    }
    if (isFraction) --exponent;
    if (!decimal.digits.empty() || c != '0') decimal.digits.push_back(c);
  }
  while (!decimal.digits.empty() && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    ++exponent;
  }
  if (decimal.digits.empty()) exponent = 0;
  if (exponent > exponentMax) exponent = exponentMax;
  if (exponent < -exponentMax) exponent = -exponentMax;
  decimal.exponent = static_cast<int>(exponent);
  return decimal;
}

/** A natural number of up to 5,120 bits: 800 digits over 10^1145 need 3,900. */
class BigNatural {
 public:
  void multiplyAdd(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (std::size_t at = 0; at < size_; ++at) {
      carry += std::uint64_t{words_[at]} * factor;
      words_[at] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0 && size_ < words_.size()) words_[size_++] = static_cast<std::uint32_t>(carry);
  }

  void shiftLeft(int bits) {
    for (; bits >= 16; bits -= 16) multiplyAdd(1u << 16, 0);
    multiplyAdd(1u << bits, 0);
  }

  int bitLength() const {
    int length = static_cast<int>(size_) * 32;
    for (std::uint32_t top = size_ == 0 ? 0 : words_[size_ - 1]; top != 0 && (top >> 31) == 0; top <<= 1) --length;
    return length;
  }

  bool isZero() const { return size_ == 0; }

  bool isLess(const BigNatural& other) const {
    if (size_ != other.size_) return size_ < other.size_;
    for (std::size_t at = size_; at > 0; --at) {
      if (words_[at - 1] != other.words_[at - 1]) return words_[at - 1] < other.words_[at - 1];
    }
    return false;
  }

  /** `other` is not above this. */
  void subtract(const BigNatural& other) {
    std::int64_t borrow = 0;
    for (std::size_t at = 0; at < size_; ++at) {
      borrow += std::int64_t{words_[at]} - (at < other.size_ ? std::int64_t{other.words_[at]} : 0);
      words_[at] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
    while (size_ > 0 && words_[size_ - 1] == 0) --size_;
  }

 private:
  std::array<std::uint32_t, 160> words_{};
  std::size_t size_ = 0;
};

/** `quotient` times 2^`exponent`, rounded to the nearest double, ties to even. `isInexact`: a bit more than that. */
inline double roundBinary(std::uint64_t quotient, int exponent, bool isInexact) {
  int bits = 0;
  while (bits < 64 && (quotient >> bits) != 0) ++bits;
  const int lowest = std::numeric_limits<double>::min_exponent - std::numeric_limits<double>::digits;
  int drop = bits - std::numeric_limits<double>::digits;
  if (drop < lowest - exponent) drop = lowest - exponent;
  if (drop >= 64) return 0;
  if (drop > 0) {
    const std::uint64_t half = std::uint64_t{1} << (drop - 1);
    const std::uint64_t rest = quotient & (half * 2 - 1);
    quotient >>= drop;
    if (rest > half || (rest == half && (isInexact || (quotient & 1) != 0))) ++quotient;
    exponent += drop;
  }
  return std::ldexp(static_cast<double>(quotient), exponent);
}

/** The quotient of two integers by long division of 56 bits. */
inline double divideExactly(std::string_view digits, int exponent) {
  BigNatural above;
  BigNatural below;
  below.multiplyAdd(1, 1);
  for (const char digit : digits) above.multiplyAdd(10, static_cast<std::uint32_t>(digit - '0'));
  for (; exponent > 0; --exponent) above.multiplyAdd(10, 0);
  for (; exponent < 0; ++exponent) below.multiplyAdd(10, 0);
  const int shift = 56 - (above.bitLength() - below.bitLength());
  if (shift > 0) above.shiftLeft(shift);
  else below.shiftLeft(-shift);
  // Now the quotient is below 2^57: its bits come out one by one, the highest first.
  below.shiftLeft(57);
  std::uint64_t quotient = 0;
  for (int bit = 0; bit <= 57; ++bit) {
    quotient <<= 1;
    if (!above.isLess(below)) {
      above.subtract(below);
      quotient |= 1;
    }
    if (bit < 57) above.shiftLeft(1);
  }
  return roundBinary(quotient, -shift, !above.isZero());
}

/** The nearest double; infinite if there is none. */
inline double roundDecimal(const Decimal& decimal) {
  const double sign = decimal.isNegative ? -1.0 : 1.0;
  const auto count = static_cast<std::int64_t>(decimal.digits.size());
  const std::int64_t magnitude = count + decimal.exponent;
  if (count == 0 || magnitude < -330) return sign * 0.0;
  if (magnitude > 310) return sign * std::numeric_limits<double>::infinity();
#if FLT_EVAL_METHOD == 0
  // Both are exact as doubles, so one operation rounds once.
  if (count <= 15 && decimal.exponent >= -22 && decimal.exponent <= 22) {
    double value = 0;
    for (const char digit : decimal.digits) value = value * 10 + (digit - '0');
    double power = 1;
    for (int left = decimal.exponent; left != 0; left += left > 0 ? -1 : 1) power *= 10;
    return sign * (decimal.exponent < 0 ? value / power : value * power);
  }
#endif
  // 768 digits decide every rounding; what follows them only says that there is more.
  constexpr std::size_t digitsMax = 800;
  if (decimal.digits.size() <= digitsMax) return sign * divideExactly(decimal.digits, decimal.exponent);
  const std::string first = decimal.digits.substr(0, digitsMax - 1) + '1';
  return sign * divideExactly(first, static_cast<int>(magnitude) - static_cast<int>(digitsMax));
}

}  // namespace loadout::detail
