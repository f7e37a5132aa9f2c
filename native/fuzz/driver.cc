/**
 * Runs a fuzz target without libFuzzer: seeds and their deterministic mutations, for so many seconds, or one file.
 *   driver <seconds> <seed file>...     or     driver <file>
 */

#include <chrono>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "fuzz.h"

namespace {

using Input = std::vector<uint8_t>;

uint64_t state = 0x9e3779b97f4a7c15;

size_t below(size_t limit) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return limit == 0 ? 0 : static_cast<size_t>(state % limit);
}

Input read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const char* const tokens[] = {
    "\"", "\\", "/", "*", "//", "/*", "*/", ",", ":", "[", "]", "{", "}", " ", "\n", "\r", "\t", "0", "1", "-", ".", "e", "E5",
    "true", "false", "null", "\"a\"", "\"a\":", "\\\"", "\\u00", "\\ud83d\\ude00", "\xc3\xa9", ",]", ",}", "[1", "        ", "                                ",
};

void insert(Input& input, const uint8_t* bytes, size_t size) {
  const size_t at = below(input.size() + 1);
  input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), bytes, bytes + size);
}

void wound(Input& input, const std::vector<Input>& seeds) {
  const size_t at = below(input.size());
  const size_t length = below(input.size() - at + 1);
  const auto from = input.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(6)) {
    case 0:
      if (!input.empty()) input[at] = static_cast<uint8_t>(below(256));
      break;
    case 1:
      if (!input.empty()) input[at] ^= static_cast<uint8_t>(1u << below(8));
      break;
    case 2:
      input.erase(from, from + static_cast<std::ptrdiff_t>(length < 40 ? length : length % 40));
      break;
    case 3: {
      const Input part(from, from + static_cast<std::ptrdiff_t>(length));
      insert(input, part.data(), part.size());
      break;
    }
    case 4: {
      const char* const token = tokens[below(sizeof tokens / sizeof *tokens)];
      insert(input, reinterpret_cast<const uint8_t*>(token), std::strlen(token));
      break;
    }
    default: {
      const Input& other = seeds[below(seeds.size())];
      const size_t start = below(other.size());
      insert(input, other.data() + start, below(other.size() - start + 1));
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2) {
    const Input input = read(arguments[1]);
    return LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  if (count < 3) return 2;
  std::vector<Input> seeds;
  for (int i = 2; i < count; i++) seeds.push_back(read(arguments[i]));
  for (const Input& seed : seeds) LLVMFuzzerTestOneInput(seed.data(), seed.size());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::stoi(arguments[1]));
  size_t runs = 0;
  while (std::chrono::steady_clock::now() < end) {
    Input input = seeds[below(seeds.size())];
    for (size_t wounds = 1 + below(4); wounds > 0; wounds--) wound(input, seeds);
    if (input.size() > 4096) input.resize(4096);
    // Whoever aborts leaves what it aborted on.
    std::ofstream("last-input", std::ios::binary).write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
    LLVMFuzzerTestOneInput(input.data(), input.size());
    runs++;
  }
  std::printf("%zu inputs, nothing broken\n", runs);
}
