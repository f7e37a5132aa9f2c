/** The package of `npm pack`, made of what is built, without a build that would replace `dist` under the servers of other tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Packing writes some 7,000 files: 10 s on an idle machine.
const packMillisMax = 90_000;

/** The variables of a shell, the first folder of whose PATH says which Node packs: the package is for its version. */
export type PackEnv = Readonly<Record<string, string>>;

/**
 * Packs with the steps of `prepack` and `postpack` around it.
 * @param folder gets the .tgz
 * @returns what npm prints of it, JSON
 * @throws what a step said that failed
 */
export async function packLoadout(folder: string, env: PackEnv): Promise<string> {
  try {
    await step('node', ['native/pack-modules.mjs', 'narrow'], env);
    const flags = ['--ignore-scripts', '--json', '--pack-destination', folder];
    return await step('npm', ['pack', ...flags], env);
  } finally {
    await step('node', ['native/pack-modules.mjs', 'restore'], env);
  }
}

async function step(name: string, args: readonly string[], env: PackEnv): Promise<string> {
  const child = spawn(name, args, { cwd: root, env, stdio: 'pipe', timeout: packMillisMax });
  const output = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (piece: string) => {
      output[stream] += piece;
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ${args.join(' ')}: code ${code}\n${output.stderr}`);
  return output.stdout;
}
