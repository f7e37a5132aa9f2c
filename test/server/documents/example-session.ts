/**
 * Runs the examples of a document in order, in one shell session against a real server, as a reader types them: what one
 * defines, the next may use. Only the addresses, the owner's token and where the command lives are those of the test.
 */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { type LoadoutServer, ownerToken } from '../../support/server/server-process.js';

const root = new URL('../../../', import.meta.url).pathname;
const sessionMillisMax = 180_000;

export interface Example {
  readonly name: string;
  readonly script: string;
  /** What the script prints, or null where the document does not say. */
  readonly output: string | null;
}

/** What a session printed. */
export interface Printed {
  /** By name of the example; one that was not reached is absent. */
  readonly byExample: ReadonlyMap<string, string>;
  readonly stderr: string;
}

/**
 * Two kinds of marked blocks: `<!-- example: name -->` before an `sh` block, with the `json` or `text` block that follows
 * it as what it prints; `<!-- file: name -->` before a block of any language, which becomes a file of the session.
 * @param path of the document, from the root of the repository
 */
export function readExamples(path: string): Example[] {
  return [...readFileSync(root + path, 'utf8').matchAll(marked)].map(({ groups }) => {
    const { name = '', script = '', output, file, content = '' } = groups ?? {};
    if (file === undefined) return { name, script, output: output ?? null };
    const written = `cat > ${file} <<'END-OF-FILE'\n${content}END-OF-FILE\n`;
    return { name: `file_${file.replaceAll(/\W/g, '_')}`, script: written, output: null };
  });
}

const marked =
  /<!-- example: (?<name>\w+) -->\n```sh\n(?<script>[\s\S]*?)```\n(?:```(?:json|text)\n(?<output>[\s\S]*?)```)?|<!-- file: (?<file>[\w.-]+) -->\n```\w+\n(?<content>[\s\S]*?)```/g;

/** @param folder where the session runs, and leaves what its examples write */
export async function runExamples(
  examples: readonly Example[],
  server: LoadoutServer,
  folder: string,
): Promise<Printed> {
  const session = examples.map(
    ({ name, script }) => `printf '\\n=== %s ===\\n' ${name}\n${localised(script, server)}`,
  );
  const file = `${folder}/session.sh`;
  writeFileSync(file, `set -e\n${prelude(server)}\n${session.join('\n')}`);
  const { stdout, stderr } = await promisify(execFile)('bash', [file], {
    cwd: folder,
    encoding: 'utf8',
    timeout: sessionMillisMax,
    // What was printed until a failure is compared all the same.
  }).catch((error: unknown) => error as { stdout: string; stderr: string });
  const pieces = stdout.split(/^=== (?<name>\w+) ===\n/m).slice(1);
  const byExample = new Map(
    pieces.flatMap((name, index) => (index % 2 === 0 ? [[name, pieces[index + 1] ?? '']] : [])),
  );
  return { byExample, stderr };
}

/** What an example printed; throws when the session did not get so far. */
export function outputOf({ byExample, stderr }: Printed, name: string): string {
  const real = byExample.get(name);
  if (real === undefined) throw new Error(`The session ended before ${name}:\n${stderr}`);
  return timeless(real).trim();
}

/** Moments are the only thing that differs from run to run. */
export function timeless(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>');
}

function prelude(server: LoadoutServer): string {
  return `
    loadout() { node '${root}dist/loadout.js' "$@"; }
    export LOADOUT_URL='${server.adminUrl}' LOADOUT_TOKEN='${ownerToken}'
  `;
}

function localised(script: string, server: LoadoutServer): string {
  return script
    .replaceAll('http://127.0.0.1:8080', server.deliveryUrl)
    .replaceAll('http://127.0.0.1:8081', server.adminUrl.replace(/\/$/, ''))
    .replaceAll('<the owner token>', ownerToken);
}
