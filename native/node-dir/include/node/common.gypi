# What node-gyp wants of a Node installation, for an addon that uses Node-API only: the headers come from the package
# `node-api-headers` (binding.gyp), so nothing is downloaded and no installed headers are needed. `install.mjs` names it.
{
  "variables": {
    "clang%": 0
  },
  "target_defaults": {
    "default_configuration": "Release",
    "configurations": {
      "Debug": {
        "defines": ["DEBUG", "_DEBUG"],
        "cflags": ["-g", "-O0"],
        "xcode_settings": { "GCC_OPTIMIZATION_LEVEL": "0" }
      },
      "Release": {
        "cflags": ["-O3"],
        "xcode_settings": { "GCC_OPTIMIZATION_LEVEL": "3" }
      }
    },
    "conditions": [
      ["OS!='win'", {
        "cflags": ["-pthread", "-fno-strict-aliasing", "-fno-omit-frame-pointer"],
        "ldflags": ["-pthread"]
      }],
      ["OS=='mac'", {
        "xcode_settings": {
          "ALWAYS_SEARCH_USER_PATHS": "NO",
          "GCC_STRICT_ALIASING": "NO",
          "MACOSX_DEPLOYMENT_TARGET": "11.0",
          "OTHER_CFLAGS": ["-pthread"]
        }
      }]
    ]
  }
}
