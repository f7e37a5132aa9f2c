/** The programs that read manifests, of the versions that `manifests/go.mod` pins; built once, kept in the folder for temporary files. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const module = fileURLToPath(new URL('manifests', import.meta.url));
const goBuild = fileURLToPath(new URL('../support/go/build.mjs', import.meta.url));
const pins = createHash('sha256');
for (const file of ['go.mod', 'go.sum', 'main.go']) pins.update(readFileSync(join(module, file)));
const built = join(tmpdir(), `loadout-manifests-${pins.digest('hex').slice(0, 12)}`);

/** What a program ended with. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** In CI whatever is missing fails the test: nobody would read there why it was skipped. */
export const hasGo = process.env['CI'] !== undefined || spawnSync('go', ['version']).status === 0;

/** Builds both, unless that was done. Helm takes four minutes of CPU time where Go has compiled nothing of it yet. */
export async function buildPrograms(): Promise<void> {
  if (existsSync(built)) return;
  const unfinished = mkdtempSync(`${built}.`);
  try {
    await build(join(unfinished, 'manifests'), '.');
    await build(join(unfinished, 'helm'), 'helm.sh/helm/v3/cmd/helm');
    if (!existsSync(built)) renameSync(unfinished, built);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

async function build(file: string, path: string): Promise<void> {
  const child = spawn(process.execPath, [goBuild, '-o', file, path], { cwd: module });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`go build ${path}: code ${code}\n${stderr}`);
}

/** Runs one of them to its end. */
export function runProgram(name: 'helm' | 'manifests', args: readonly string[], stdin = ''): Ran {
  const options = { input: stdin, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const { status, stdout, stderr, error } = spawnSync(join(built, name), args, options);
  if (error !== undefined) throw error;
  return { code: status, stdout, stderr };
}
