/**
 * What JavaScript sees: the only file that knows Node. It unwraps arguments, calls the core, and wraps results.
 *
 * Buffers for results are made by a function of the caller's between two steps of the core, so that their size is right
 * and their memory was never filled with zeros. What a call was given stays alive and in place until it returns.
 */

#include <node_api.h>

#include <new>

#include "hash.h"
#include "quote.h"
#include "strip.h"

namespace {

using namespace loadout;

/** What one environment (the main thread, or a worker) keeps between calls. */
struct Environment {
  const Kernel* kernel = &bestKernel();
  Stripper stripper;
  /** A call is under way: an `allocate` of the caller's must not begin another. */
  bool isBusy = false;
};

/** Lengths must fit into the index's words, and below its `noKey`. */
constexpr size_t bytesMax = 0xfffffffe;

napi_value fail(napi_env env, const char* message) {
  napi_throw_error(env, nullptr, message);
  return nullptr;
}

/** One call: its arguments, and the environment's state, which no other call may use meanwhile. */
template <size_t count>
class Call {
 public:
  Call(napi_env env, napi_callback_info info) : env_(env) {
    size_t given = count;
    napi_get_cb_info(env, info, &given, arguments_, nullptr, nullptr);
    napi_get_instance_data(env, reinterpret_cast<void**>(&environment_));
    if (environment_->isBusy) {
      environment_ = nullptr;
      fail(env, "A call of the addon is under way in this thread.");
      return;
    }
    environment_->isBusy = true;
  }
  ~Call() {
    if (environment_ != nullptr) environment_->isBusy = false;
  }

  bool isRefused() const { return environment_ == nullptr; }
  Environment& environment() const { return *environment_; }
  napi_env env() const { return env_; }
  napi_value operator[](size_t at) const { return arguments_[at]; }

  bool bytes(size_t at, Bytes& bytes) const { return bytesOf(arguments_[at], bytes); }

  bool bytesOf(napi_value value, Bytes& bytes) const {
    void* data;
    if (!typedArray(value, napi_uint8_array, data, bytes.size) || bytes.size > bytesMax) {
      fail(env_, "A Uint8Array of less than 4 GiB was expected.");
      return false;
    }
    bytes.data = static_cast<const uint8_t*>(data);
    return true;
  }

  bool words(napi_value value, uint32_t*& words, size_t& length) const {
    void* data;
    if (!typedArray(value, napi_uint32_array, data, length)) {
      fail(env_, "A Uint32Array was expected.");
      return false;
    }
    words = static_cast<uint32_t*>(data);
    return true;
  }

  bool number(size_t at, double& number) const {
    if (napi_get_value_double(env_, arguments_[at], &number) == napi_ok) return true;
    fail(env_, "A number was expected.");
    return false;
  }

  /** The function at `at`, called with a size; what it returns must hold as much. */
  bool allocate(size_t at, uint64_t size, napi_value& made) const {
    napi_value undefined;
    napi_value argument;
    napi_get_undefined(env_, &undefined);
    napi_create_double(env_, static_cast<double>(size), &argument);
    return napi_call_function(env_, undefined, arguments_[at], 1, &argument, &made) == napi_ok;
  }

  /** The same, for bytes: room for `before`, the result, and `after`. */
  bool allocateBytes(size_t at, double before, uint64_t size, double after, napi_value& made, uint8_t*& out) const {
    if (!(before >= 0 && after >= 0 && before + after < 1e9)) {
      fail(env_, "Room before and after is a number of bytes.");
      return false;
    }
    const size_t start = static_cast<size_t>(before);
    const uint64_t whole = start + size + static_cast<size_t>(after);
    Bytes bytes;
    if (!allocate(at, whole, made) || !bytesOf(made, bytes)) return false;
    if (bytes.size != whole) {
      fail(env_, "The buffer that was made is not of the size asked for.");
      return false;
    }
    out = const_cast<uint8_t*>(bytes.data) + start;
    return true;
  }

 private:
  bool typedArray(napi_value value, napi_typedarray_type wanted, void*& data, size_t& length) const {
    napi_typedarray_type type;
    return napi_get_typedarray_info(env_, value, &type, &length, &data, nullptr, nullptr) == napi_ok && type == wanted;
  }

  napi_env env_;
  Environment* environment_ = nullptr;
  napi_value arguments_[count];
};

napi_value numberValue(napi_env env, double number) {
  napi_value value;
  napi_create_double(env, number, &value);
  return value;
}

napi_value hexOf(napi_env env, uint64_t hash) {
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
  napi_value value;
  napi_create_string_latin1(env, hex, 16, &value);
  return value;
}

/** Hands the index out in words that `allocate`, argument `at`, makes. */
template <size_t count>
bool giveNodes(const Call<count>& call, size_t at) {
  const Stripper& stripper = call.environment().stripper;
  const size_t length = stripper.nodeCount() * nodeWords;
  napi_value made;
  uint32_t* words;
  size_t lengthMade;
  if (!call.allocate(at, length, made) || !call.words(made, words, lengthMade)) return false;
  if (lengthMade != length) {
    fail(call.env(), "The index that was made is not of the size asked for.");
    return false;
  }
  std::memcpy(words, stripper.nodes(), length * sizeof(uint32_t));
  return true;
}

/** (text, levelsMax, allocateBytes, allocateWords | null) -> the hash of the JSON, or the offset of a fault. */
napi_value strip(napi_env env, napi_callback_info info) {
  const Call<4> call(env, info);
  if (call.isRefused()) return nullptr;
  Environment& environment = call.environment();
  Bytes text;
  double levelsMax;
  if (!call.bytes(0, text) || !call.number(1, levelsMax)) return nullptr;
  napi_valuetype type;
  napi_typeof(env, call[3], &type);
  const bool isIndexed = type == napi_function;
  const uint32_t levels = levelsMax >= 0 && levelsMax < 4e9 ? static_cast<uint32_t>(levelsMax) : 0xffffffff;
  switch (environment.stripper.strip(*environment.kernel, text, levels, isIndexed)) {
    case StripStatus::fault: return numberValue(env, static_cast<double>(environment.stripper.fault()));
    case StripStatus::outOfMemory: return fail(env, "There is no memory to strip the text.");
    case StripStatus::ok: break;
  }
  const Bytes json = environment.stripper.json();
  napi_value made;
  uint8_t* out;
  if (!call.allocateBytes(2, 0, json.size, 0, made, out)) return nullptr;
  std::memcpy(out, json.data, json.size);
  if (isIndexed && !giveNodes(call, 3)) return nullptr;
  const uint64_t hash = hashOf(json);
  environment.stripper.trim();
  return hexOf(env, hash);
}

/** (json, allocateWords) -> whether it is minified JSON. */
napi_value index(napi_env env, napi_callback_info info) {
  const Call<2> call(env, info);
  if (call.isRefused()) return nullptr;
  Environment& environment = call.environment();
  Bytes json;
  if (!call.bytes(0, json)) return nullptr;
  const StripStatus status = environment.stripper.index(*environment.kernel, json);
  if (status == StripStatus::outOfMemory) return fail(env, "There is no memory to index the document.");
  if (status == StripStatus::ok && !giveNodes(call, 1)) return nullptr;
  environment.stripper.trim();
  napi_value isJson;
  napi_get_boolean(env, status == StripStatus::ok, &isJson);
  return isJson;
}

/** (json) -> its hash. */
napi_value hash(napi_env env, napi_callback_info info) {
  const Call<1> call(env, info);
  Bytes json;
  if (call.isRefused() || !call.bytes(0, json)) return nullptr;
  return hexOf(env, hashOf(json));
}

/** (json, before, after, allocateBytes) -> the bytes. */
napi_value quote(napi_env env, napi_callback_info info) {
  const Call<4> call(env, info);
  if (call.isRefused()) return nullptr;
  const Kernel& kernel = *call.environment().kernel;
  Bytes json;
  double before;
  double after;
  if (!call.bytes(0, json) || !call.number(1, before) || !call.number(2, after)) return nullptr;
  const size_t size = quotedSize(kernel, json);
  napi_value bytes;
  uint8_t* out;
  if (!call.allocateBytes(3, before, size, after, bytes, out)) return nullptr;
  quoteJson(kernel, json, out, size);
  return bytes;
}

/** () -> the names of the kernels that this machine runs, best first. */
napi_value kernelNames(napi_env env, napi_callback_info) {
  const Kernel* kernels[8];
  const size_t count = supportedKernels(kernels, 8);
  napi_value names;
  napi_create_array_with_length(env, count, &names);
  for (size_t i = 0; i < count; i++) {
    napi_value name;
    napi_create_string_utf8(env, kernels[i]->name, NAPI_AUTO_LENGTH, &name);
    napi_set_element(env, names, static_cast<uint32_t>(i), name);
  }
  return names;
}

/** (name): the kernel that this thread uses from now on; for tests and measurements. */
napi_value useKernel(napi_env env, napi_callback_info info) {
  const Call<1> call(env, info);
  if (call.isRefused()) return nullptr;
  char name[32] = "";
  napi_get_value_string_utf8(env, call[0], name, sizeof name, nullptr);
  const Kernel* const kernel = kernelNamed(name);
  if (kernel == nullptr) return fail(env, "This machine has no such kernel.");
  call.environment().kernel = kernel;
  return nullptr;
}

void define(napi_env env, napi_value exports, const char* name, napi_callback function) {
  napi_value value;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, function, nullptr, &value);
  napi_set_named_property(env, exports, name, value);
}

}  // namespace

NAPI_MODULE_INIT() {
  Environment* const environment = new (std::nothrow) Environment();
  if (environment == nullptr) return fail(env, "There is no memory for the addon.");
  const auto end = [](napi_env, void* data, void*) { delete static_cast<Environment*>(data); };
  napi_set_instance_data(env, environment, end, nullptr);
  define(env, exports, "strip", strip);
  define(env, exports, "index", index);
  define(env, exports, "hash", hash);
  define(env, exports, "quote", quote);
  define(env, exports, "kernelNames", kernelNames);
  define(env, exports, "useKernel", useKernel);
  return exports;
}
