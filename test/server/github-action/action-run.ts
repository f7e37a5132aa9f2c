/** Runs the action's program as GitHub's runner does: variables, an event file, and a repository as the working folder. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { loadoutProgram } from '../../support/server/run-loadout.js';

const program = resolve(import.meta.dirname, '../../../deploy/github-action/run.mjs');

export interface Ran {
  readonly code: number | null;
  readonly output: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** A game's repository, with the folder `game`. */
export class Repository {
  readonly folder = mkdtempSync(join(tmpdir(), 'loadout-action-'));

  constructor() {
    this.git('init', '--quiet', '--initial-branch', 'main');
    this.git('config', 'user.name', 'Ada');
    this.git('config', 'user.email', 'ada@example.com');
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  }

  write(file: string, content: string): void {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  commit(message: string): void {
    this.git('add', '--all');
    this.git('commit', '--quiet', '--message', message);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  async run(event: object, env: Readonly<Record<string, string>>): Promise<Ran> {
    const files = mkdtempSync(join(tmpdir(), 'loadout-runner-'));
    const file = (name: string, content: string): string => {
      writeFileSync(join(files, name), content);
      return join(files, name);
    };
    const child = spawn(process.execPath, [program], {
      cwd: this.folder,
      env: {
        PATH: process.env['PATH'],
        ACTION_DIR: 'game',
        ACTION_LOADOUT: `${process.execPath} ${loadoutProgram}`,
        GITHUB_REPOSITORY: 'studio/game',
        GITHUB_EVENT_PATH: file('event.json', JSON.stringify(event)),
        GITHUB_OUTPUT: file('output', ''),
        GITHUB_STEP_SUMMARY: file('summary', ''),
        GITHUB_TOKEN: 'github-token-1',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    const [[code], output] = await Promise.all([once(child, 'close'), printed]);
    const outputs = readFileSync(join(files, 'output'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('='));
    const summary = readFileSync(join(files, 'summary'), 'utf8');
    rmSync(files, { recursive: true });
    return { code, output: output.join(''), summary, outputs: Object.fromEntries(outputs) };
  }
}
