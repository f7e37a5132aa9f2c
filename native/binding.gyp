{
  # simdjson's and xxHash's sources and Node-API's headers come from npm; nothing of theirs is copied here.
  "variables": {
    "node_api": "<!(node -p \"require('node:path').dirname(require.resolve('node-api-headers/package.json'))\")/include",
    "simdjson": "<!(node -p \"require('node:path').dirname(require.resolve('simdjson/package.json'))\")/src",
    "xxhash": "<!(node -p \"require('node:path').dirname(require.resolve('xxhash-addon/package.json'))\")/xxHash"
  },
  "targets": [
    {
      "target_name": "loadout",
      "sources": [
        "src/addon.cc",
        "src/grammar.cc",
        "src/hash-source.c",
        "src/hash.cc",
        "src/kernel-portable.cc",
        "src/kernel.cc",
        "src/strip.cc",
        "src/structure.cc",
        "src/token.cc",
        "src/utf8.cc"
      ],
      "include_dirs": ["<(node_api)", "<(simdjson)", "<(xxhash)"],
      "defines": ["NAPI_VERSION=8", "NDEBUG"],
      "cflags": ["-O3", "-fno-tree-slp-vectorize", "-fvisibility=hidden", "-ffunction-sections", "-fdata-sections"],
      "cflags_cc": ["-std=c++17", "-fno-exceptions", "-fno-rtti"],
      "ldflags": ["-Wl,--gc-sections"],
      "xcode_settings": {
        "GCC_OPTIMIZATION_LEVEL": "3",
        "GCC_SYMBOLS_PRIVATE_EXTERN": "YES",
        "CLANG_CXX_LANGUAGE_STANDARD": "c++17",
        "GCC_ENABLE_CPP_EXCEPTIONS": "NO",
        "GCC_ENABLE_CPP_RTTI": "NO"
      }
    }
  ]
}
