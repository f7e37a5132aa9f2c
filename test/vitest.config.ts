import { defineConfig } from 'vitest/config';
import { findPostgres } from './support/postgres-binaries.js';

const root = new URL('..', import.meta.url).pathname;
const onBothStores = ['test/server/**/*.test.ts', 'test/unit/management/**/*.test.ts'];

/** What is about the embedded store and its file: there is nothing of it to be had on PostgreSQL. */
const embeddedOnly: Readonly<Record<string, string>> = {
  'test/unit/management/backup.test.ts': 'copies of the file, and putting them back into a folder',
  'test/unit/management/copy-pages.test.ts': 'pages of rows, without a store',
  'test/server/backup.test.ts': 'the same, by command; of a database: fleet/operating',
  'test/server/upgrade.test.ts': 'the copy of the file before an upgrade',
  'test/server/store-damage.test.ts': "the store's file; of a database: unit/management/text-check",
  'test/server/disk-full.test.ts': "the folder's disk; of a database: fleet/outage",
  'test/server/command-demo.test.ts': 'the demo has a store of its own',
  'test/server/command-completion.test.ts': 'asks no server',
  'test/server/fragmented-requests.test.ts': 'what the delivery port does before any content',
  'test/server/malformed-requests.test.ts': 'the same',
  'test/server/request-framing.test.ts': 'the same',
  'test/server/unread-responses.test.ts': 'what the delivery port does whatever the content',
  'test/server/evaluation-work.test.ts': 'the same',
  'test/server/binaries.test.ts': 'what ends a start before any store is opened',
  'test/server/installed-package.test.ts':
    'one package for both stores; it packs the clone, so it may run only once at a time',
};

/** Of every project. */
const each = {
  root,
  pool: 'forks',
  testTimeout: 30_000,
  hookTimeout: 60_000,
} as const;

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from a default export.
export default defineConfig({
  test: {
    root,
    globalSetup: 'test/support/postgres-setup.ts',
    // Two cores: a suite beside a server and a load generator; more workers would only measure each other.
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...each,
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          // Not promises but commands of their own: `npm run soak`, `npm run screenshots`.
          exclude: ['test/soak/**', 'test/screenshots/**'],
        },
      },
      ...(findPostgres() === null
        ? []
        : [
            {
              test: {
                ...each,
                name: 'postgres',
                include: onBothStores,
                exclude: Object.keys(embeddedOnly),
                env: { LOADOUT_TEST_STORE: 'postgres' },
              },
            },
          ]),
    ],
  },
});
