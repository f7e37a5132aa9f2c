/**
 * The bundled front-end binaries: the SHA-256 of each file of `@btc-vision/uwebsockets.js@20.57.0`, and of what the patch for
 * an older glibc (`patch-glibc.ts`) must make of it; null where none is needed. No other file is loaded. Updates: D51.
 */

import type { FrontEndCheck } from '../http/front-end-check.js';

export interface Build {
  readonly original: string;
  readonly patched: string | null;
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
  'uws_darwin_x64_115.node': {
    original: 'f661b97951ffdf54324e514becda0a2740f723c9fd3c7098e812a0e7714651ed',
    patched: null,
  },
  'uws_darwin_x64_127.node': {
    original: 'fd551673f3ce1f104d7cec3ba8f628d9d04853eff1045c9d95983372ed90bca0',
    patched: null,
  },
  'uws_darwin_x64_137.node': {
    original: '98fd7e9456e2d37d3262b05b053d673830927f91c63c0c2ae73bde8d19eef293',
    patched: null,
  },
  'uws_darwin_x64_141.node': {
    original: 'e64e8a42347b5f9861b0f2bfa0981d8e48914e9b26ec73e133ba454d9a580777',
    patched: null,
  },
  'uws_darwin_arm64_115.node': {
    original: 'e92644395ac8d37cb078098f843fb1b82e59701832f38fed00a9bdcfb87ba939',
    patched: null,
  },
  'uws_darwin_arm64_127.node': {
    original: '6180345d453e2e113feb2b0d76376493cd6a90056c3483fc22de7b0c340dc231',
    patched: null,
  },
  'uws_darwin_arm64_137.node': {
    original: '2187391c702fa7ad3bf685eff7712c15cf24fa7cf324a131dfcbae3fd0f20a9a',
    patched: null,
  },
  'uws_darwin_arm64_141.node': {
    original: '8555586f69116620ac17540b2a7a2459c5db1cebee5c36fd77157dd352fabf82',
    patched: null,
  },
  'uws_win32_x64_115.node': {
    original: '1ffbe9b09607fd9c90e98661383de2bd844b06d4f25ab502f3361d8d8fac559f',
    patched: null,
  },
  'uws_win32_x64_127.node': {
    original: 'b4fa85dd015d6d32655f75e9d5b2480124b7649d9265a2b84d8dafe37f88f838',
    patched: null,
  },
  'uws_win32_x64_137.node': {
    original: '84ae72d2149e6ffa2a44063344073599027b1ce8bffaab3957903f966b0c6bb9',
    patched: null,
  },
  'uws_win32_x64_141.node': {
    original: '59346e454b89d2d0ed1609b7581683bb9fde7edaf3b3f04fe4f6fe03e34c8afd',
    patched: null,
  },
};

/** The checks that these builds fail (D60): worth a line in the log, but no warning at every start. */
export const knownFailures: readonly FrontEndCheck[] = ['two_content_lengths'];
