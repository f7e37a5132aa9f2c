/**
 * A document and mutations, each behind a newline whose next byte says of which kind: what comes out must be minified
 * JSON, of the size that was measured, and untouched where every mutation missed.
 */

#include <memory>
#include <vector>

#include "fuzz.h"
#include "splice.h"
#include "strip.h"

namespace {

using namespace loadout;

struct Indexed {
  std::vector<uint8_t> json;
  std::vector<uint32_t> nodes;
};

bool indexed(Bytes text, Indexed& result) {
  Stripper stripper;
  if (stripper.strip(bestKernel(), text, mutatedLevelsMax, true) != StripStatus::ok) return false;
  const Bytes json = stripper.json();
  result.json.assign(json.data, json.data + json.size);
  result.nodes.assign(stripper.nodes(), stripper.nodes() + stripper.nodeCount() * nodeWords);
  return true;
}

std::vector<Bytes> lines(Bytes text) {
  std::vector<Bytes> all;
  size_t start = 0;
  for (size_t at = 0; at <= text.size; at++) {
    if (at < text.size && text.data[at] != '\n') continue;
    all.push_back({text.data + start, at - start});
    start = at + 1;
  }
  return all;
}

std::vector<uint8_t> splice(Splicer& splicer, const Indexed& document, const std::vector<const Mutation*>& mutations,
                            uint64_t bytesMax, std::vector<MutationFault>& faults) {
  faults.resize(mutations.size());
  const Exact json(document.json.data(), document.json.size());
  const Document target{json.data(), document.nodes.data()};
  const uint64_t size = splicer.measure(target, mutations.data(), mutations.size(), bytesMax, faults.data());
  check(size <= bytesMax || size <= document.json.size(), "a result keeps to its limit");
  const Exact out(size);
  splicer.write(out.data());
  return {out.data(), out.data() + size};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::vector<Bytes> all = lines({data, size});
  Indexed document;
  if (!indexed(all[0], document)) return 0;
  std::vector<std::unique_ptr<Mutation>> owned;
  std::vector<const Mutation*> mutations;
  for (size_t i = 1; i < all.size() && i < 6; i++) {
    Indexed value;
    if (all[i].size == 0 || !indexed({all[i].data + 1, all[i].size - 1}, value)) continue;
    auto mutation = std::make_unique<Mutation>();
    const MutationKind kind = static_cast<MutationKind>(all[i].data[0] % 3);
    const Exact json(value.json.data(), value.json.size());
    if (!mutation->compile(kind, json.bytes(), value.nodes.data(), value.nodes.size() / nodeWords)) continue;
    mutations.push_back(mutation.get());
    owned.push_back(std::move(mutation));
  }

  Splicer splicer;
  std::vector<MutationFault> faults;
  const uint64_t bytesMax = 4 * size + 64;
  const std::vector<uint8_t> whole = splice(splicer, document, mutations, bytesMax, faults);
  Indexed result;
  check(indexed({whole.data(), whole.size()}, result) || whole.size() > 2000, "a result is JSON");
  check(result.json.empty() || result.json == whole, "a result is minified");
  bool allMissed = true;
  for (const MutationFault& fault : faults) allMissed = allMissed && fault.isMissed;
  check(!allMissed || whole == document.json, "what misses leaves no trace");

  // One after the other, each on the bytes of those before it, they make the same.
  Indexed step = document;
  for (size_t i = 0; i < mutations.size() && !result.json.empty(); i++) {
    std::vector<MutationFault> fault;
    const std::vector<uint8_t> bytes = splice(splicer, step, {mutations[i]}, bytesMax, fault);
    check(fault[0].isMissed == faults[i].isMissed, "a mutation misses the same alone");
    check(fault[0].operation == faults[i].operation, "and at the same operation");
    if (!indexed({bytes.data(), bytes.size()}, step)) return 0;
  }
  check(result.json.empty() || step.json == whole, "mutations stack");
  return 0;
}
