/** The page about providers in `docs/`: below what somebody wrote, tables of what the tests of this folder hold. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Notes, table } from '../support/exceptions-table.js';
import { cases } from './cases.js';
import { type Provider, providers } from './providers.js';
import { type Situation, situations } from './situations.js';

/** @param page as it is, in Markdown; of it the part before the tables stays */
export function providersPage(page: string): string {
  const notes = new Notes();
  const rows = cases.map(({ name, except }) =>
    rowOf(name, (provider) => notes.cell(except?.[provider.name]?.why)),
  );
  const around = Object.values<Situation>(situations).map(({ name, isStaticOnly, except }) =>
    rowOf(name, (provider) =>
      isStaticOnly === true && !provider.isStatic ? '–' : notes.cell(except?.[provider.name]),
    ),
  );
  const made = [
    `${firstHeading}\n`,
    table(['language', 'provider', 'SDK'], providers.map(versionsOf)),
    '## Evaluations\n',
    'A number leads to what the provider does otherwise; it would with any server.\n',
    table(['flag', ...names], rows),
    '## Around them\n',
    'A dash: the provider evaluates each flag by a request of its own, and has no stream.\n',
    table(['what happens', ...names], around),
    '## Notes\n',
    notes.list(),
  ];
  return page.slice(0, page.indexOf(firstHeading)) + made.join('\n');
}

const firstHeading = '## Versions';
const names = providers.map(({ name }) => name);

function rowOf(name: string, cellOf: (provider: Provider) => string): readonly string[] {
  return [name, ...providers.map(cellOf)];
}

function versionsOf({ name, folder, packages }: Provider): readonly string[] {
  const versions = packages.map((each) => `\`${each}\` ${versionIn(folder, each)}`);
  return [name, ...versions];
}

/** How each pins a package; the version is the first group. */
const pins: Readonly<Record<string, readonly [file: string, pin: (name: string) => RegExp]>> = {
  javascript: ['package.json', (name) => new RegExp(`"${name}": "([^"]+)"`)],
  python: ['requirements.txt', (name) => new RegExp(`^${name}==(\\S+)`, 'm')],
  go: ['go.mod', (name) => new RegExp(`${name} v(\\S+)`)],
  java: [
    'pom.xml',
    (name) => {
      const [group, artifact] = name.split(':');
      return new RegExp(
        `<groupId>${group}</groupId>\\s*<artifactId>${artifact}</artifactId>\\s*<version>([^<]+)`,
      );
    },
  ],
};

function versionIn(folder: string, name: string): string {
  const [file, pin] = pins[folder] ?? ['', () => /(?!)/];
  const text = readFileSync(join(import.meta.dirname, folder, file), 'utf8');
  const version = pin(name).exec(text)?.[1];
  if (version === undefined) throw new Error(`${folder}/${file} does not pin ${name}`);
  return version;
}
