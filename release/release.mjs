/**
 * Makes a release: `npm run release`. For each platform, one package for all supported versions of Node, its bill of materials,
 * and `SHA256SUMS` (docs/decisions/0118-releases.md).
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packTree, prepareTree } from './artefact.mjs';
import { checkReproducible } from './check.mjs';
import { checkCompiler, fetchNode20Headers } from './compile.mjs';
import { prepareVersion } from './prepare.mjs';
import { ReleaseFailure, run, said } from './run.mjs';
import { targets } from './targets.mjs';

const root = resolve(import.meta.dirname, '..');
const usage = `usage: npm run release -- [--platform <name>]… [--check] [--out <folder>] [--allow-changes]
       npm run release -- --prepare <version>

  --platform       one of ${targets.map(({ name }) => name).join(', ')}; all unless given
  --check          builds a second time in another clone and lists what differs
  --out            where the artefacts go (release/out)
  --allow-changes  also builds what no commit has
  --prepare        makes the version: package.json, the lock file and the heading in CHANGELOG.md`;

async function main() {
  const { values } = parseArgs({
    options: {
      platform: { type: 'string', multiple: true },
      check: { type: 'boolean', default: false },
      out: { type: 'string', default: join(root, 'release/out') },
      'allow-changes': { type: 'boolean', default: false },
      prepare: { type: 'string' },
    },
  });
  if (values.prepare !== undefined) {
    console.log(prepareVersion(root, values.prepare, new Date()));
    return 0;
  }
  const names = values.platform ?? targets.map(({ name }) => name);
  const chosen = targets.filter(({ name }) => names.includes(name));
  if (chosen.length !== new Set(names).size) throw new ReleaseFailure(usage);
  if (process.platform !== 'linux') throw new ReleaseFailure('Releases are built on Linux.');
  const withChanges = values['allow-changes'];
  if (!withChanges) await refuseChanges();

  const startedAtMs = performance.now();
  const say = (what) => said(startedAtMs, what);
  const out = resolve(values.out);
  const version = await build(chosen, out, say);
  if (!values.check) return 0;
  say('built; once more in another clone');
  const found = await checkReproducible(root, { out, version, names }, withChanges);
  for (const line of found) console.log(line);
  say(found.length === 0 ? 'both builds have the same bytes' : 'the builds differ');
  return found.length === 0 ? 0 : 1;
}

/** @returns {Promise<string>} the version that was built */
async function build(chosen, out, say) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const compilers = await Promise.all(chosen.map(checkCompiler));
  const npm = (await run(root, 'npm', ['--version'])).trim();
  say(
    `Loadout ${version}, with Node ${process.version}, npm ${npm}, GCC ${compilers.join(' and ')}`,
  );
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  // Vite would bundle another React by it.
  delete process.env.NODE_ENV;
  process.env.SOURCE_DATE_EPOCH ??= (await run(root, 'git', ['log', '-1', '--format=%ct'])).trim();
  const headers = await fetchNode20Headers();
  try {
    const built = run(root, 'npm', ['run', 'build']).then(() => say('dist built'));
    const trees = await Promise.all([
      ...chosen.map((target) => prepareTree(target, headers, say)),
      built,
    ]);
    const files = [];
    for (const [at, target] of chosen.entries()) {
      files.push(...(await packTree(trees[at], target, out)));
      say(`${target.name}: packed`);
    }
    writeSums(out, files, say);
  } finally {
    rmSync(headers, { recursive: true, force: true });
  }
  return version;
}

/** In the format of `sha256sum --check`. */
function writeSums(out, files, say) {
  const lines = files.sort().map((name) => {
    const path = join(out, name);
    const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
    say(`${path} (${(statSync(path).size / 1024 / 1024).toFixed(1)} MiB)`);
    return `${digest}  ${name}\n`;
  });
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''));
}

/** Who has the artefact is to find its sources by its commit. */
async function refuseChanges() {
  const changes = await run(root, 'git', ['status', '--porcelain']);
  if (changes === '') return;
  throw new ReleaseFailure(
    `No commit has these changes (--allow-changes builds them too):\n${changes}`,
  );
}

try {
  process.exitCode = await main();
} catch (error) {
  const isForPerson = error instanceof ReleaseFailure || error.code?.startsWith('ERR_PARSE_ARGS');
  if (!isForPerson) throw error;
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}
