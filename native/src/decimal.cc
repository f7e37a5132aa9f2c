#include "decimal.h"

namespace loadout {

namespace {

/** A decimal integer of any length: its digits without leading zeros; zero has none and is not negative. */
struct Integer {
  bool isNegative;
  Bytes digits;
};

/** The number 0.digits times ten to the power `exponent`; digits without zeros at either end. Zero has no digits. */
struct Decimal {
  bool isNegative;
  Bytes digits;
  Integer exponent;
};

Bytes withoutLeadingZeros(Bytes digits) {
  while (digits.size > 0 && digits.data[0] == '0') digits = {digits.data + 1, digits.size - 1};
  return digits;
}

/** `digits` plus (or less) a small number; exact in the time of one pass. The result may not be below zero. */
Bytes addMagnitude(Bytes digits, uint64_t small, bool isLess, Arena& scratch) {
  const size_t size = (digits.size > 20 ? digits.size : 20) + 1;
  uint8_t* const sum = scratch.array<uint8_t>(size);
  int borrowed = 0;
  for (size_t i = 0; i < size; i++) {
    const int digit = i < digits.size ? digits.data[digits.size - 1 - i] - '0' : 0;
    const int other = static_cast<int>(small % 10);
    small /= 10;
    int result = isLess ? digit - other - borrowed : digit + other + borrowed;
    borrowed = result < 0 || result > 9;
    if (result < 0) result += 10;
    if (result > 9) result -= 10;
    sum[size - 1 - i] = static_cast<uint8_t>('0' + result);
  }
  return withoutLeadingZeros({sum, size});
}

uint64_t smallOf(Bytes digits) {
  uint64_t value = 0;
  for (size_t i = 0; i < digits.size; i++) value = 10 * value + static_cast<uint64_t>(digits.data[i] - '0');
  return value;
}

/** The integer plus a number that is less than 2^62 either way. */
Integer addSmall(Integer integer, int64_t small, Arena& scratch) {
  const uint64_t magnitude = small < 0 ? static_cast<uint64_t>(-small) : static_cast<uint64_t>(small);
  const bool isLess = (small < 0) != integer.isNegative;
  if (!isLess || integer.digits.size > 19 || smallOf(integer.digits) >= magnitude) {
    const Bytes digits = addMagnitude(integer.digits, magnitude, isLess, scratch);
    return {integer.isNegative && digits.size > 0, digits};
  }
  // It crosses zero.
  uint8_t* const text = scratch.array<uint8_t>(20);
  uint64_t rest = magnitude - smallOf(integer.digits);
  size_t at = 20;
  for (; rest > 0; rest /= 10) text[--at] = static_cast<uint8_t>('0' + rest % 10);
  return {!integer.isNegative, {text + at, 20 - at}};
}

Decimal decimalOf(Bytes number, Arena& scratch) {
  const bool isNegative = number.data[0] == '-';
  size_t at = isNegative ? 1 : 0;
  uint8_t* const all = scratch.array<uint8_t>(number.size);
  size_t count = 0;
  size_t integerCount = 0;
  bool hasPoint = false;
  for (; at < number.size && (number.data[at] | 0x20) != 'e'; at++) {
    if (number.data[at] == '.') {
      hasPoint = true;
      integerCount = count;
    } else {
      all[count++] = number.data[at];
    }
  }
  if (!hasPoint) integerCount = count;
  Bytes digits = withoutLeadingZeros({all, count});
  const size_t zeros = count - digits.size;
  while (digits.size > 0 && digits.data[digits.size - 1] == '0') digits.size--;
  if (digits.size == 0) return {false, {}, {false, {}}};

  Integer exponent{false, {}};
  if (at < number.size) {
    at++;
    exponent.isNegative = number.data[at] == '-';
    if (number.data[at] == '-' || number.data[at] == '+') at++;
    exponent.digits = withoutLeadingZeros({number.data + at, number.size - at});
  }
  const int64_t pointShift = static_cast<int64_t>(integerCount) - static_cast<int64_t>(zeros);
  return {isNegative, digits, addSmall(exponent, pointShift, scratch)};
}

}  // namespace

bool sameNumber(Bytes one, Bytes other, Arena& scratch) {
  const Decimal a = decimalOf(one, scratch);
  const Decimal b = decimalOf(other, scratch);
  return a.isNegative == b.isNegative && a.digits.equals(b.digits) &&
         a.exponent.isNegative == b.exponent.isNegative && a.exponent.digits.equals(b.exponent.digits);
}

}  // namespace loadout
