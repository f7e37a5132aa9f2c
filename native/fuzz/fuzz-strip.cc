/**
 * Any bytes as a stored text: every kernel must say what the grammar says, byte for byte, word for word; and what comes
 * out must go in again and stay as it is.
 */

#include <vector>

#include "fuzz.h"
#include "quote.h"
#include "strip.h"

namespace {

using namespace loadout;

struct Outcome {
  StripStatus status;
  size_t rejectedAt;
  std::vector<uint8_t> json;
  std::vector<uint32_t> nodes;

  bool operator==(const Outcome& other) const {
    return status == other.status && rejectedAt == other.rejectedAt && json == other.json && nodes == other.nodes;
  }
};

std::vector<uint32_t> nodesOf(const Stripper& stripper) {
  return {stripper.nodes(), stripper.nodes() + stripper.nodeCount() * nodeWords};
}

Outcome stripWith(const Kernel& kernel, Bytes text, uint32_t levelsMax) {
  Stripper stripper;
  Outcome outcome;
  outcome.status = stripper.strip(kernel, text, levelsMax, true);
  outcome.rejectedAt = stripper.rejectedAt();
  if (outcome.status != StripStatus::ok) return outcome;
  const Bytes json = stripper.json();
  outcome.json.assign(json.data, json.data + json.size);
  outcome.nodes = nodesOf(stripper);
  return outcome;
}

/** Every value lies inside the one it belongs to, behind its elder siblings. */
void checkIndex(const std::vector<uint32_t>& nodes, size_t size) {
  const size_t count = nodes.size() / nodeWords;
  check(count > 0 && nodes[1] == 0 && nodes[2] == size && nodes[3] == count, "the root is the document");
  for (size_t i = 0; i < count; i++) {
    const uint32_t* const node = &nodes[i * nodeWords];
    check(node[1] < node[2] && node[3] > i && node[3] <= count, "a value has a length, and an end");
    check(node[0] == noKey || node[0] + 3 <= node[1], "a key has quotes and a colon");
    uint32_t end = node[1] + 1;
    for (size_t child = i + 1; child < node[3]; child = nodes[child * nodeWords + 3]) {
      const uint32_t* const below = &nodes[child * nodeWords];
      check((below[0] == noKey ? below[1] : below[0]) >= end, "children do not overlap");
      end = below[2] + 1;
    }
    check(node[3] == i + 1 || end == node[2], "the last child ends before the bracket");
  }
}

void checkQuoted(const Kernel& kernel, Bytes json) {
  const size_t size = quotedSize(kernel, json);
  const Exact quoted(size);
  quoteJson(kernel, json, quoted.data(), size);
  size_t at = 1;
  for (size_t i = 0; i < json.size; i++) {
    if (quoted.data()[at] == '\\') at++;
    check(quoted.data()[at++] == json.data[i], "what is quoted reads as it was");
  }
  check(at == size - 1 && quoted.data()[0] == '"' && quoted.data()[at] == '"', "what is quoted has quotes");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const uint32_t levelsMax = data[0];
  const Exact exact(data + 1, size - 1);
  const Bytes text = exact.bytes();
  const Outcome expected = stripWith(portableKernel, text, levelsMax);
  const Exact json(expected.json.data(), expected.json.size());

  const Kernel* kernels[8];
  const size_t count = supportedKernels(kernels, 8);
  for (size_t i = 0; i < count; i++) {
    check(stripWith(*kernels[i], text, levelsMax) == expected, "every kernel makes the same of a text");
    if (expected.status != StripStatus::ok) continue;
    check(stripWith(*kernels[i], json.bytes(), levelsMax) == expected, "delivered JSON is stripped already");
    Stripper stripper;
    check(stripper.index(*kernels[i], json.bytes()) == StripStatus::ok, "delivered JSON can be indexed");
    check(nodesOf(stripper) == expected.nodes, "an index does not depend on when it is made");
    checkQuoted(*kernels[i], json.bytes());
  }
  if (expected.status == StripStatus::ok) {
    checkIndex(expected.nodes, expected.json.size());
  } else {
    check(expected.rejectedAt <= text.size, "a text is rejected inside itself");
  }
  return 0;
}
