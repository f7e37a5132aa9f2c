/*
 * Goal: what the README shows is what happens. Method: its examples are run in order in one shell session against
 * a real server; only the ports, the token and where the command lives are those of the test.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoadoutServer, makeDataFolder, ownerToken, startServer } from '../support/server.js';

const root = new URL('../../', import.meta.url).pathname;
const examples = readExamples(readFileSync(`${root}README.md`, 'utf8'));

interface Example {
  readonly name: string;
  readonly script: string;
  /** What the script prints, or null where the README does not say. */
  readonly output: string | null;
}

let server: LoadoutServer;
let folder: string;

beforeAll(async () => {
  folder = makeDataFolder();
  server = await startServer({ listeners: 1 });
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the README', () => {
  it('has the examples that the issue asks for', () => {
    expect(examples.map((example) => example.name)).toEqual(
      expect.arrayContaining(['authoring', 'content', 'dynamic', 'combine', 'catalog', 'refusal']),
    );
  });

  it.each(examples)('shows what really happens: $name', ({ script, output }) => {
    const printed = execFileSync('bash', ['-e', '-c', prelude() + localised(script)], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 20_000,
    });
    if (output !== null) expect(printed.trim()).toBe(output.trim());
  });
});

function prelude(): string {
  return `
    loadout() { node '${root}dist/loadout.js' "$@"; }
    export LOADOUT_URL='${server.adminUrl}' LOADOUT_TOKEN='${ownerToken}'
  `;
}

function localised(script: string): string {
  return script
    .replaceAll('http://127.0.0.1:8080', server.deliveryUrl)
    .replaceAll('http://127.0.0.1:8081', server.adminUrl.replace(/\/$/, ''))
    .replaceAll('<the owner token>', ownerToken);
}

/** A marked `sh` block, and the `json` block behind it if there is one. */
function readExamples(readme: string): Example[] {
  const pattern =
    /<!-- example: (?<name>\w+) -->\n```sh\n(?<script>[\s\S]*?)```\n(?:```json\n(?<output>[\s\S]*?)```)?/g;
  return [...readme.matchAll(pattern)].map(({ groups }) => ({
    name: groups?.['name'] ?? '',
    script: groups?.['script'] ?? '',
    output: groups?.['output'] ?? null,
  }));
}
