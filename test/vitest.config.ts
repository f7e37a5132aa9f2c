import { defineConfig } from 'vitest/config';

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from a default export.
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // Long, and wanting the machine to themselves: `npm run soak`.
    exclude: ['test/soak/**'],
    pool: 'forks',
    // Two cores: a suite beside a server and a load generator; more workers would only measure each other.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
