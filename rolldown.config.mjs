/**
 * Bundles what `tsc` has built into `dist`: a start loads a few files instead of 800, which was half of its CPU time
 * (decision D61). All files of `dist` are side by side, so `src/program-folder.ts` is right in each of them.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { defineConfig } from 'rolldown';

/** Modules that are bundled with ours: each is many small files of plain JavaScript. What is not here stays in node_modules. */
const bundled = /^(commander|diff|fastify-type-provider-zod|kysely|lru-cache|re2js|zod)(\/|$)/;

/** Files of a build before this one; the console's folder is not ours. */
function removeLeftovers(_options, bundle) {
  mkdirSync('dist', { recursive: true });
  for (const entry of readdirSync('dist', { withFileTypes: true })) {
    if (entry.isFile() && !(entry.name in bundle)) rmSync(`dist/${entry.name}`);
  }
}

export default defineConfig({
  input: {
    loadout: 'build/loadout.js',
    'delivery-process': 'build/delivery-process.js',
    'render-worker': 'build/render-worker.js',
    'management-worker': 'build/management-worker.js',
    'backup-thread': 'build/backup-thread.js',
    // What native/install.mjs tries after an installation.
    'load-uws': 'build/delivery/uws/load-uws.js',
    'sqlite-driver': 'build/published/sqlite-driver.js',
  },
  platform: 'node',
  external: (id) => !/^[./]/.test(id) && !bundled.test(id),
  plugins: [{ name: 'no-leftovers', generateBundle: removeLeftovers }],
  output: { dir: 'dist', format: 'esm', chunkFileNames: '[name]-[hash].js', sourcemap: true },
});
