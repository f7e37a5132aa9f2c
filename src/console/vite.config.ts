/** Builds the console into dist/console, and serves it during development (`npm run dev:console`). */
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';
// biome-ignore lint/style/noRestrictedImports: of the build, not of the page: it lists what the bundle holds.
import { listPackages } from '../../native/bundled-packages.mjs';

// biome-ignore lint/style/noDefaultExport: Vite reads its configuration from a default export.
export default defineConfig(({ mode }) => {
  const environment = loadEnv(mode, '.', 'LOADOUT_');
  const token = environment['LOADOUT_TOKEN'];
  const server = {
    target: environment['LOADOUT_URL'] ?? 'http://127.0.0.1:8081',
    // During development, the token signs in.
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  };
  return {
    root: new URL('.', import.meta.url).pathname,
    plugins: [react(), listPackages('console')],
    build: {
      outDir: '../../dist/console',
      emptyOutDir: true,
      // The policy allows neither inline scripts nor data: URLs of anything but images.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      // Browsers with light-dark(): for older ones it would be compiled into variables that nothing sets.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    },
    server: {
      host: '127.0.0.1',
      proxy: { '^/(admin|metrics|healthz|readyz|openapi|docs)': server },
    },
  };
});
