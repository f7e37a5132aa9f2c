/**
 * Bundles `src` into `dist`: a start loads a few files instead of 800, which was half of its CPU time
 * (decision D61). Types are removed, not checked: `npm run check` does that. All files of `dist` are side by side, so `src/program-folder.ts` is right in each of them.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { defineConfig, rolldown } from 'rolldown';
import { listPackages } from './native/bundled-packages.mjs';

/**
 * What stays in node_modules: binaries, what starts workers or serves files from its own folder, and what is loaded with
 * its first use anyway. All else is bundled.
 */
const kept =
  /^(node:.*|(@btc-vision\/[^/]+|@duckdb\/node-api|@fastify\/(static|swagger-ui)|ajv|ajv-formats|better-sqlite3|better-sqlite3-12|pg|pino|piscina|prom-client|simdjson|uWebSockets\.js|xxhash-addon)(\/.*)?)$/;

/** What a build before this one left; the console's folder is not ours. */
function removeLeftovers(_options, bundle) {
  mkdirSync('dist', { recursive: true });
  for (const entry of readdirSync('dist', { withFileTypes: true })) {
    if (entry.name === 'console' || entry.name in bundle) continue;
    rmSync(`dist/${entry.name}`, { recursive: true });
  }
}

/** The game of `loadout demo`, which its module reads beside itself. */
function addDemoGame() {
  const folder = 'src/command/demo/demo-game';
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = `${entry.parentPath}/${entry.name}`;
    const fileName = file.slice(folder.lastIndexOf('/') + 1);
    this.emitFile({ type: 'asset', fileName, source: readFileSync(file) });
  }
}

const servedFile = /\.(css|html|js|svg)$/;

/** The browser game that `loadout demo` serves, with the client kit that it imports. */
async function addBrowserGame() {
  const folder = 'clients/samples/browser-game';
  for (const name of readdirSync(folder)) {
    if (!servedFile.test(name)) continue;
    this.emitFile({
      type: 'asset',
      fileName: `game/${name}`,
      source: readFileSync(`${folder}/${name}`),
    });
  }
  const kit = await rolldown({ input: 'clients/typescript/src/client.ts' });
  const { output } = await kit.generate({ format: 'esm' });
  this.emitFile({ type: 'asset', fileName: 'game/loadout-client.js', source: output[0].code });
}

// biome-ignore lint/style/noDefaultExport: rolldown reads its configuration from a default export.
export default defineConfig({
  input: {
    loadout: 'src/loadout.ts',
    'delivery-process': 'src/delivery-process.ts',
    'analysis-process': 'src/analysis-process.ts',
    'render-worker': 'src/render-worker.ts',
    'management-worker': 'src/management-worker.ts',
    'backup-thread': 'src/backup-thread.ts',
    // What native/install.mjs tries after an installation.
    'load-uws': 'src/delivery/uws/load-uws.ts',
    'sqlite-driver': 'src/published/sqlite-driver.ts',
    // `loadout bench`, and the processes that it starts.
    'bench-run': 'bench/installed/run.ts',
    'load-process': 'bench/http/load/load-process.ts',
    'floor-process': 'bench/http/contenders/floor-process.ts',
  },
  platform: 'node',
  // OpenTelemetry names its ES modules in `module` only; of them, what is not used is left out (D115).
  resolve: { mainFields: ['module', 'main'], extensionAlias: { '.js': ['.ts', '.js'] } },
  external: (id) => kept.test(id),
  // The histograms of autocannon load zlib so, for what is not used here.
  onLog: (level, log, handle) => {
    if (log.code !== 'EVAL' || !log.message.includes('hdr-histogram-js')) handle(level, log);
  },
  plugins: [
    { name: 'demo-game', buildStart: addDemoGame },
    { name: 'browser-game', buildStart: addBrowserGame },
    { name: 'no-leftovers', generateBundle: removeLeftovers },
    listPackages('server'),
  ],
  output: { dir: 'dist', format: 'esm', chunkFileNames: '[name].js', sourcemap: true },
});
