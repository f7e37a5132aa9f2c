/**
 * Draws the mutations that `run.mjs` tries the suite on: `node test/mutations/draw.mjs [seed]` writes `sample.json`.
 * What no longer compiles is drawn again, since a suite is not needed to find it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runnerImport } from 'vite';
import { applied, entryOf } from './apply.mjs';
import { mutationsOf } from './operators.mjs';
import { withCopy } from './tree-copy.mjs';

const root = resolve(import.meta.dirname, '../..');
const seed = Number(process.argv[2] ?? 20261122);
/** Of one file, so that a long one does not take all. */
const perFileMax = 3;

const onPostgresOnly =
  /^src\/management\/(store\/(postgres.*|prepare-database|reach-database|node-lock|nodes)|fleet\/(?!single-server).*)\.ts$/;
const migrations =
  /^src\/management\/store\/(migrations\/.*|migrate)\.ts$|^src\/published\/schema\.ts$/;
/** Where mutations are drawn, and how many; a file belongs to the first that names it. */
const strata = [
  { name: 'postgres', count: 10, files: onPostgresOnly },
  { name: 'migrations', count: 5, files: migrations },
  {
    name: 'delivery',
    count: 15,
    files: /^src\/(delivery\/.*|delivery-process|render-worker)\.ts$/,
  },
  { name: 'content', count: 10, files: /^src\/content\/.*\.ts$/ },
  { name: 'published', count: 3, files: /^src\/published\/.*\.ts$/ },
  { name: 'management', count: 9, files: /^src\/management\/.*\.ts$/ },
  { name: 'command', count: 4, files: /^src\/(command\/.*|loadout)\.ts$/ },
  { name: 'console', count: 4, files: /^src\/console\/(?!generated).*\.ts$/ },
];

const { module } = await runnerImport(join(root, 'test/support/seeded-random.ts'));
const random = module.seededRandom(seed);
const paths = execFileSync('git', ['ls-files', 'src'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !path.endsWith('vite.config.ts'),
  );
const texts = new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

const sample = await withCopy(root, 'HEAD', async (copy) =>
  strata.flatMap((stratum) => {
    const mine = paths.filter((path) => strata.find(({ files }) => files.test(path)) === stratum);
    const all = mine.flatMap((path) =>
      mutationsOf(texts.get(path)).map((mutation) => entryOf(path, texts.get(path), mutation)),
    );
    const drawn = [];
    while (drawn.length < stratum.count && all.length > 0) {
      const [entry] = all.splice(Math.floor(random() * all.length), 1);
      if (drawn.filter(({ path }) => path === entry.path).length >= perFileMax) continue;
      if (!compiles(copy, entry)) continue;
      drawn.push({ id: `${stratum.name}-${drawn.length + 1}`, ...entry });
      console.error(`${drawn.at(-1).id} ${entry.path}:${entry.line} ${entry.operator}`);
    }
    return drawn;
  }),
);
writeFileSync(
  join(import.meta.dirname, 'sample.json'),
  `${JSON.stringify({ seed, sample }, null, 2)}\n`,
);

function compiles(copy, entry) {
  const text = texts.get(entry.path);
  writeFileSync(join(copy, entry.path), applied(text, entry));
  const project = entry.path.startsWith('src/console/') ? 'src/console' : '.';
  const { status } = spawnSync('npx', ['tsc', '-p', project, '--noEmit'], { cwd: copy });
  writeFileSync(join(copy, entry.path), text);
  return status === 0;
}
