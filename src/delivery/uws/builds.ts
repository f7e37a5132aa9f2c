/**
 * The front-end binaries that may be patched (`patch-glibc.ts`): SHA-256 of the file in
 * `@btc-vision/uwebsockets.js@20.57.0`, and of what the patch must make of it. How to take an update: D51.
 */

export interface Build {
  readonly original: string;
  readonly patched: string;
}

export const builds: Readonly<Record<string, Build>> = {
  'uws_linux_x64_115.node': {
    original: '5b126ee00bf754b02e97e4c27090365a8562c5820c93f93918ac2212d4503e91',
    patched: 'd1156432c696075e653325e7d7a784796db200923221e1e4a36293d15d724e32',
  },
  'uws_linux_x64_127.node': {
    original: '4b55b1f2cb7a7913febbb65a89496412b96af77e838552980092ba6b33723aac',
    patched: 'f1608f301188933e79a50cf7d219a30ee83814aaba5e400e37c10eb9be7958db',
  },
  'uws_linux_x64_137.node': {
    original: '98128405dba2fb608448e921a979530f70c946a2cc9889c15f2fa70c2d00ab05',
    patched: '337e7312c83b0df8accbe2446055c1e663ef14824712a055dfb8c34852cd8d69',
  },
  'uws_linux_x64_141.node': {
    original: '813d788b347c6fd76b779d8932311ec05a044e612b4b83af220f16e6ea789683',
    patched: '66513ca63ef5fe6c0534f58cee955fcb272d49194dda12a806c2c1ccfb9b636d',
  },
  'uws_linux_arm64_115.node': {
    original: '6bdbc8ff976b4371af1906175e9025804bacc38a414969f4f02314e6b99f206c',
    patched: 'c2d1ed56dd649fa070edc7f40ab7f001220b779a25ccf74b4668956815add011',
  },
  'uws_linux_arm64_127.node': {
    original: '82b79bd18d1e3563de336156005bd01b7f39fc387b65173d69a29da4ee79f895',
    patched: '2c554a4acaef582e6cff58bbe9d555749d492153167e06c38721e39fd4f467ae',
  },
  'uws_linux_arm64_137.node': {
    original: '88618b30ddf6b2b62310db89f40a701616676352aac5e0f6184dd8ef876199ce',
    patched: 'c52f98e37763f821adfd7a24445de06c5941db0bb99b92fd2ac06d5f65cd50f8',
  },
  'uws_linux_arm64_141.node': {
    original: '81d0186dd1549ed6a7f47e68e323573fc27d69d2920527654ce2dd993af2b0ec',
    patched: 'ca84857b2027db75652dfed569fdac54439f5ba932e91de17ad04f895ec631e0',
  },
};
