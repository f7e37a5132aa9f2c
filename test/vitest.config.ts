import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { findPostgres } from './support/postgres/binaries.js';

const root = new URL('..', import.meta.url).pathname;

/** What is about the embedded store and its file, or about no store: there is nothing of it to be had on PostgreSQL. */
const notOnPostgres: Readonly<Record<string, string>> = {
  'test/unit/management/store/backup.test.ts':
    'copies of the file, and putting them back into a folder',
  'test/unit/management/store/copy-pages.test.ts': 'pages of rows, without a store',
};

type Options = TestProjectInlineConfiguration['test'];

function project(name: string, include: readonly string[], more: Options = {}) {
  return {
    test: {
      root,
      name,
      include: include.map((path) => `test/${path}`),
      pool: 'forks' as const,
      // What a test waits for has an end of its own; these are for a machine that has other things to do.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      ...more,
    },
  };
}

const postgres = { globalSetup: 'test/support/postgres/setup.ts' };
const sharedServers = { globalSetup: 'test/support/server/shared-server.ts' };

/** They load DuckDB; with PostgreSQL they ask both. */
const eventTests = ['unit/analysis/*.test.ts', 'unit/analysis/{queries,storage}/**/*.test.ts'];

// biome-ignore lint/style/noDefaultExport: vitest reads its configuration from a default export.
export default defineConfig({
  test: {
    root,
    // Two cores: a suite beside a server and a load generator; more workers would only measure each other.
    maxWorkers: 2,
    projects: [
      // `npm test`: the next three.
      project(
        'pure',
        [
          'unit/{bench,clients,console,content,contract,delivery,published,support}/**/*.test.ts',
          'unit/analysis/{results,statistics}/**/*.test.ts',
          'contract/**/*.test.ts',
          '*.test.ts',
        ],
        // They leave nothing behind in a process, so files share what they import.
        { pool: 'threads', isolate: false },
      ),
      project('management', ['unit/{assistant,command,management}/**/*.test.ts', ...eventTests], {
        isolate: false,
      }),
      project('server', ['server/**/*.test.ts'], sharedServers),
      // The others are suites of their own: suites.mjs says when they run.
      project('failures', ['failures/**/*.test.ts']),
      project('hostile', ['hostile/**/*.test.ts'], sharedServers),
      project('console', ['console/**/*.test.ts'], postgres),
      project('package', ['package/**/*.test.ts']),
      project('release', ['release/**/*.test.ts'], { globalSetup: 'test/release/build.ts' }),
      project('providers', ['providers/**/*.test.ts']),
      project('kits', ['kits/**/*.test.ts'], { maxConcurrency: 6 }),
      project('types', ['types/**/*.test.ts']),
      project('sdks', ['sdks/**/*.test.ts']),
      project('deploy', ['deploy/**/*.test.ts'], {
        globalSetup: ['test/deploy/setup.ts', postgres.globalSetup],
      }),
      project('statistics', ['statistics/**/*.test.ts']),
      project('alerts', ['alerts/**/*.test.ts']),
      project('drills', ['drills/**/*.test.ts'], { ...postgres, testTimeout: 1_200_000 }),
      project('native', ['native/**/*.test.ts']),
      project('fleet', ['fleet/**/*.test.ts'], postgres),
      ...(findPostgres() === null
        ? []
        : [
            project(
              'stores',
              ['unit/management/**/*.test.ts', 'server/life-of-content.test.ts', ...eventTests],
              {
                ...postgres,
                exclude: Object.keys(notOnPostgres),
                env: { LOADOUT_TEST_STORE: 'postgres' },
              },
            ),
          ]),
    ],
  },
});
