/** The page about providers in `docs/`: what the tests of this folder hold, as tables. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cases } from './cases.js';
import { type Provider, providers } from './providers.js';
import { type Situation, situations } from './situations.js';

const introduction = `# OpenFeature providers

Every OpenFeature SDK reads flags from Loadout through its own OFREP provider, as it comes from the registry. The suite
\`providers\` runs these against a server and holds every cell below; it also writes this page.
`;

/** @returns the page, in Markdown */
export function providersPage(): string {
  const notes: string[] = [];
  const rows = cases.map(({ name, except }) =>
    rowOf(name, (provider) => cell(notes, except?.[provider.name]?.why)),
  );
  const around = Object.values<Situation>(situations).map(({ name, isStaticOnly, except }) =>
    rowOf(name, (provider) =>
      isStaticOnly === true && !provider.isStatic ? '–' : cell(notes, except?.[provider.name]),
    ),
  );
  return [
    introduction,
    '## Versions\n',
    table(['language', 'provider', 'SDK'], providers.map(versionsOf)),
    '## Evaluations\n',
    'A number leads to what the provider does otherwise; it would with any server.\n',
    table(['flag', ...names], rows),
    '## Around them\n',
    'A dash: the provider evaluates each flag by a request of its own, and has no stream.\n',
    table(['what happens', ...names], around),
    '## Notes\n',
    `${notes.map((note, index) => `${index + 1}. ${note}`).join('\n')}\n`,
  ].join('\n');
}

const names = providers.map(({ name }) => name);

function rowOf(name: string, cellOf: (provider: Provider) => string): readonly string[] {
  return [name, ...providers.map(cellOf)];
}

function cell(notes: string[], why: string | undefined): string {
  if (why === undefined) return 'yes';
  if (!notes.includes(why)) notes.push(why);
  return String(notes.indexOf(why) + 1);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return `${[head, head.map(() => '---'), ...rows].map(line).join('\n')}\n`;
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
