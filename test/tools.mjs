/** What suites need beside Node (`tools` in suites.mjs), and the Debian packages that `.ci/run` installs for it. */
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const postgresFolder = '/usr/lib/postgresql';

/**
 * The packages of a tool are installed when one of its programs is missing. Libraries come from their own registries, in
 * the versions that a lock file beside the test names, and so does a Go that is newer than Debian's; pip, Go and Maven keep
 * their downloads in caches of their own.
 * @type {Readonly<Record<string, { programs: readonly string[], packages: readonly string[] }>>}
 */
export const tools = {
  // A compiler for arm64, and what runs its programs on another processor.
  arm64: {
    programs: ['g++', 'make', 'aarch64-linux-gnu-g++', 'qemu-aarch64'],
    packages: ['g++', 'make', 'g++-aarch64-linux-gnu', 'qemu-user'],
  },
  'c++': {
    programs: ['g++', 'clang++', 'cmake', 'curl-config'],
    packages: ['g++', 'libcurl4-openssl-dev', 'clang', 'libclang-rt-14-dev', 'cmake'],
  },
  chromium: { programs: ['chromium'], packages: ['chromium'] },
  debootstrap: {
    programs: ['debootstrap', 'unshare', 'setpriv', 'nsenter'],
    packages: ['debootstrap', 'util-linux'],
  },
  go: { programs: ['go'], packages: ['golang-go'] },
  haproxy: { programs: ['haproxy'], packages: ['haproxy'] },
  java: { programs: ['java', 'javac'], packages: ['default-jdk-headless'] },
  maven: { programs: ['mvn'], packages: ['maven'] },
  // ikdasm stands for mono-devel, which has the facade of .NET Standard that a library for it is compiled against.
  mono: { programs: ['mono', 'mcs', 'ikdasm', 'nuget'], packages: ['mono-devel', 'nuget'] },
  nginx: { programs: ['nginx'], packages: ['nginx'] },
  // A header and no program: it stands beside the folder of programs.
  nlohmann: { programs: ['../include/nlohmann/json.hpp'], packages: ['nlohmann-json3-dev'] },
  postgresql: { programs: ['initdb'], packages: ['postgresql'] },
  prometheus: {
    programs: ['prometheus', 'promtool', 'prometheus-alertmanager'],
    packages: ['prometheus', 'prometheus-alertmanager'],
  },
  python: { programs: ['python3', 'pip3'], packages: ['python3', 'python3-pip'] },
};

/**
 * @param {readonly { tools?: readonly string[] }[]} suites
 * @param {readonly string[]} folders where programs are
 * @returns {string[]} names of the tools that one of the suites needs and of which a program is missing
 */
export function missingTools(suites, folders = programFolders()) {
  const needed = new Set(suites.flatMap((suite) => suite.tools ?? []));
  const isThere = (program) => folders.some((folder) => existsSync(join(folder, program)));
  return [...needed].filter((tool) => !tools[tool].programs.every(isThere)).sort();
}

/** Those of the PATH, and those where Debian puts servers. */
function programFolders() {
  const versions = existsSync(postgresFolder) ? readdirSync(postgresFolder) : [];
  return [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/sbin',
    ...versions.map((version) => join(postgresFolder, version, 'bin')),
  ];
}
