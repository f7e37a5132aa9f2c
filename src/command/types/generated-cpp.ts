/** What generated C++ needs beside quicktype's own text. */

/** quicktype relies on headers that nlohmann/json.hpp happens to include. */
export const includedHeaders = [
  '#pragma once',
  '',
  '#include <cstdint>',
  '#include <exception>',
  '#include <map>',
  '#include <memory>',
  '#include <stdexcept>',
  '#include <string>',
  '#include <utility>',
  '#include <vector>',
  '',
  '#include "loadout/reader.hpp"',
].join('\n');

const untypedMember = /^\s*x\.(\w+) = get_untyped\(/gm;
/** The two functions of one type stand one after the other. */
const functionsOfType =
  /inline void from_json\(const json & j, \w+ ?& x\) \{[\s\S]*?\n {4}\}\n[\s\S]*?\n {4}\}\n/g;

/**
 * quicktype 26.0.0 writes a member of any type `if (x.member)`, which converts the JSON value to a boolean and throws for
 * all others.
 */
export function mendedCpp(types: string): string {
  const mended = types.replaceAll(functionsOfType, (functions) => {
    let text = functions;
    for (const [, member] of functions.matchAll(untypedMember)) {
      text = text.replaceAll(`if (x.${member}) {`, `if (!x.${member}.is_null()) {`);
    }
    return text;
  });
  return mended.replace('#pragma once\n\n', '');
}
