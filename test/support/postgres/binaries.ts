/** Where the programs of a PostgreSQL server are with which the tests run servers of their own. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The oldest that Loadout works with. */
const versionMin = 15;
const programs = ['postgres', 'initdb', 'pg_basebackup'];
const debian = '/usr/lib/postgresql';

/**
 * The folder of a complete server of version 15 or newer: the one LOADOUT_POSTGRES names, pg_config's, one on the PATH,
 * or the newest that Debian's packages have put down. Null when there is none.
 */
export function findPostgres(): string | null {
  return (
    candidates().find((folder) => isComplete(folder) && versionOf(folder) >= versionMin) ?? null
  );
}

function candidates(): string[] {
  const named = process.env['LOADOUT_POSTGRES'];
  if (named !== undefined) return [named];
  const configured = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim();
  const onPath = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'postgres'))
    .filter((program) => existsSync(program))
    .map((program) => dirname(realpathSync(program)));
  const packaged = existsSync(debian) ? readdirSync(debian) : [];
  return [
    ...(configured ? [configured] : []),
    ...onPath,
    ...packaged.sort((a, b) => Number(b) - Number(a)).map((major) => join(debian, major, 'bin')),
  ];
}

function isComplete(folder: string): boolean {
  return programs.every((program) => existsSync(join(folder, program)));
}

/** The major version; NaN, which no minimum lets pass, when it does not say one. */
function versionOf(folder: string): number {
  const said = spawnSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout;
  return Number(/\(PostgreSQL\) (\d+)/.exec(said ?? '')?.[1] ?? Number.NaN);
}
