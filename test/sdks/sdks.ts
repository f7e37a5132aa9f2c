/** The official SDKs of this API: how each is installed and run, and why the others are not tried. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasPip, pythonPackages } from '../support/python-packages.js';

export type SdkName = 'JavaScript' | 'Python';

export interface Sdk {
  readonly name: SdkName;
  readonly packageName: string;
  readonly version: string;
  /** A program of `test/sdks/` that calls it. */
  readonly driver: readonly [program: string, ...args: string[]];
  /** Names the file with the certificate that it is to trust. */
  readonly trustVariable: string;
  /** Installs its package and answers the environment that its driver runs in; throws with the installer's output. */
  install(): Readonly<Record<string, string>>;
  /** Why it cannot be tried on this machine, or null. */
  whyNot(): string | null;
}

const requirements = join(import.meta.dirname, 'python', 'requirements.txt');

export const sdks: readonly Sdk[] = [
  {
    name: 'JavaScript',
    packageName: '@getjoystick/joystick-js',
    version: pinned('../package.json', /"@getjoystick\/joystick-js": "([^"]+)"/),
    driver: [process.execPath, join(import.meta.dirname, 'javascript', 'driver.mjs')],
    trustVariable: 'NODE_EXTRA_CA_CERTS',
    install: () => ({}),
    whyNot: () => null,
  },
  {
    name: 'Python',
    packageName: 'joystick-python',
    version: pinned('python/requirements.txt', /^joystick-python==(\S+)/m),
    driver: ['python3', join(import.meta.dirname, 'python', 'driver.py')],
    trustVariable: 'SSL_CERT_FILE',
    install: () => ({ PYTHONPATH: pythonPackages(requirements) }),
    whyNot: () => (hasPip() ? null : 'there is no python3 with pip'),
  },
];

/** SDKs that no registry reached from here has, with what was tried. */
export const untested: readonly { readonly name: string; readonly tried: string }[] = [
  {
    name: 'Java',
    tried: [
      'Maven Central has neither `com.getjoystick:joystick-sdk:0.1.0`, which its README names, nor any other version.',
      'Built by hand from its source (commit 4522da7) and led to a server by a hosts file and a trust store, it passed the cases',
      'above once, but two that were not tried: the newest line by `v`, and a body that is too large. Its serialized',
      'content has its quotes escaped once more; a single missing content is its error for a bad request.',
    ].join(' '),
  },
  {
    name: 'PHP',
    tried:
      '`getjoystick/joystick-php` is on Packagist, which could not be reached. It was not run.',
  },
  {
    name: 'C#',
    tried: '`Joystick` is on NuGet, which could not be reached. It was not run.',
  },
];

function pinned(file: string, pin: RegExp): string {
  const version = pin.exec(readFileSync(join(import.meta.dirname, file), 'utf8'))?.[1];
  if (version === undefined) throw new Error(`${file} does not pin ${pin.source}`);
  return version;
}
