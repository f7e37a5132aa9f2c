/*
 * Goal: the Containerfile and its ignore file mean what they look like. Method: the parser of docker build reads the one, and what
 * Git has is compared with the other. No engine builds the image; image.test.ts does what the final stage says.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeDataFolder } from '../support/server/server.js';
import { imageFolder, readRecipe } from './containerfile.js';
import { hasGo, type Ran, runProgram } from './programs.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const file = join(imageFolder, 'Containerfile');

describe.skipIf(!hasGo)('the Containerfile', () => {
  const parse = (path: string): Ran => runProgram('manifests', ['containerfile', path]);

  it('has a stage that packs and one that installs, which ends with a command in exec form', () => {
    const { code, stdout, stderr } = parse(file);
    expect(code, stderr).toBe(0);
    const stages = JSON.parse(stdout) as { name: string; from: string; instructions: string[] }[];
    expect(stages.map(({ name, from }) => [name, from])).toEqual([
      ['build', 'docker.io/library/node:24-trixie'],
      ['', readRecipe().from],
    ]);
    expect(stages.at(-1)?.instructions.slice(-3)).toEqual(['HEALTHCHECK', 'ENTRYPOINT', 'CMD']);
    expect(readRecipe().command).toEqual(['loadout', 'serve']);
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(`org.opencontainers.image.version="${version}"`);
    expect(text).toContain(`--tag loadout:${version} `);
    const chart = readFileSync(join(root, 'deploy/helm/loadout/Chart.yaml'), 'utf8');
    expect(chart).toContain(`appVersion: ${version}\n`);
    const compose = readFileSync(join(root, 'deploy/compose/compose.yaml'), 'utf8');
    expect(compose).toContain(`image: loadout:${version}\n`);
  });

  it.each([
    ['an unknown flag', '--interval', '--intervall'],
    ['an unknown instruction', 'STOPSIGNAL', 'STOPSIGNALS'],
    ['a mount that is none', 'type=bind,from', 'type=bind,form'],
  ])('would not pass with %s', (_what, from, to) => {
    const changed = join(makeDataFolder(), 'Containerfile');
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(from);
    writeFileSync(changed, text.replace(from, to));
    expect(parse(changed).code).toBe(1);
  });
});

it('the ignore file names what there is, and nothing that is packed or built from', () => {
  const lines = readFileSync(`${file}.dockerignore`, 'utf8').split('\n');
  const named = lines.filter((line) => /^[^#*.]/.test(line) && line !== 'data');
  expect(named.length).toBeGreaterThan(4);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const needed = [...files, 'clients', 'deploy/image', 'native', 'package-lock.json', 'src'];
  const hidden = named.filter((path) => needed.some((each) => `${each}/`.startsWith(`${path}/`)));
  expect(hidden).toEqual([]);
  // These are made where the image is built; Git has none of them.
  const made = execFileSync(
    'git',
    ['ls-files', '**/node_modules/**', '**/dist/**', '**/build/**'],
    { cwd: root },
  );
  expect(made.toString()).toBe('');
});
