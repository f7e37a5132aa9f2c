import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from a default export.
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // Not promises but commands of their own: `npm run soak`, `npm run screenshots`.
    exclude: ['test/soak/**', 'test/screenshots/**'],
    pool: 'forks',
    // Two cores: a suite beside a server and a load generator; more workers would only measure each other.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
