/*
 * Goal: what the README shows is what happens. Method: its examples are run in order in one shell session against
 * a real server; only the ports, the token and where the command lives are those of the test.
 */
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataFolder, startServer } from '../support/server.js';
import { type LoadoutServer, ownerToken } from '../support/server-process.js';

const root = new URL('../../', import.meta.url).pathname;
const sessionMillisMax = 180_000;
const examples = readExamples(readFileSync(`${root}README.md`, 'utf8'));

interface Example {
  readonly name: string;
  readonly script: string;
  /** What the script prints, or null where the README does not say. */
  readonly output: string | null;
}

let server: LoadoutServer;
let folder: string;
/** What each example printed, by its name; one that was not reached is not there. */
let printed: ReadonlyMap<string, string>;
let complaint = '';

beforeAll(async () => {
  folder = makeDataFolder();
  server = await startServer({ listeners: 1 });
  const { stdout, stderr } = await runSession();
  complaint = stderr;
  const pieces = stdout.split(/^=== (?<name>\w+) ===\n/m).slice(1);
  printed = new Map(
    pieces.flatMap((name, index) => (index % 2 === 0 ? [[name, pieces[index + 1] ?? '']] : [])),
  );
}, sessionMillisMax);

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

  it('has a tutorial from an environment to production, each step with what it prints', () => {
    const tutorial = examples.filter(({ name }) => name.startsWith('tutorial_'));
    expect(tutorial.map(({ name }) => name.slice('tutorial_'.length))).toEqual([
      'environments',
      'put',
      'ask',
      'segment',
      'preview',
      'publish',
      'evaluate',
      'rollback',
      'sync',
    ]);
    expect(tutorial.filter(({ output }) => output === null)).toEqual([]);
  });

  it.each(examples)('shows what really happens: $name', ({ name, output }) => {
    const real = printed.get(name);
    if (real === undefined) throw new Error(`The session ended before ${name}:\n${complaint}`);
    if (output !== null) expect(timeless(real).trim()).toBe(timeless(output).trim());
  });
});

/** All examples one after the other, as a reader types them: what one defines, the next may use. */
async function runSession(): Promise<{ stdout: string; stderr: string }> {
  const session = examples.map(
    ({ name, script }) => `printf '\\n=== %s ===\\n' ${name}\n${localised(script)}`,
  );
  const file = `${folder}/session.sh`;
  writeFileSync(file, `set -e\n${prelude()}\n${session.join('\n')}`);
  try {
    return await promisify(execFile)('bash', [file], {
      cwd: folder,
      encoding: 'utf8',
      timeout: sessionMillisMax,
    });
  } catch (error) {
    // What was printed until then is looked at all the same.
    return error as { stdout: string; stderr: string };
  }
}

/** Moments are the only thing that differs from run to run. */
function timeless(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>');
}

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

/** A marked `sh` block, and the `json` or `text` block behind it if there is one. */
function readExamples(readme: string): Example[] {
  const pattern =
    /<!-- example: (?<name>\w+) -->\n```sh\n(?<script>[\s\S]*?)```\n(?:```(?:json|text)\n(?<output>[\s\S]*?)```)?/g;
  return [...readme.matchAll(pattern)].map(({ groups }) => ({
    name: groups?.['name'] ?? '',
    script: groups?.['script'] ?? '',
    output: groups?.['output'] ?? null,
  }));
}
