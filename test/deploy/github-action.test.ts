/** Goal: the workflow of the documentation and the action fit together. Method: actionlint reads both; nothing is run on GitHub. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeDataFolder } from '../support/server/server.js';
import { hasGo } from './programs.js';

const root = resolve(import.meta.dirname, '../..');
const actionlint = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';
const repository = makeDataFolder();
const file = join(repository, '.github/workflows/content.yml');
const page = readFileSync(join(root, 'docs/integrations/github-action.md'), 'utf8');
const workflow = /<!-- file: content.yml -->\n```yaml\n(?<yaml>[\s\S]*?)```/.exec(page)?.groups?.[
  'yaml'
];

beforeAll(() => {
  execFileSync('git', ['init', '--quiet'], { cwd: repository });
  mkdirSync(join(repository, '.github/workflows'), { recursive: true });
  const copy = join(repository, '.github/actions/loadout');
  cpSync(join(root, 'deploy/github-action'), copy, { recursive: true });
});

function lint(yaml: string): string {
  writeFileSync(file, yaml);
  const args = ['run', actionlint, '-no-color'];
  const { status, stdout, stderr } = spawnSync('go', args, { cwd: repository, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`;
}

describe.skipIf(!hasGo)('the workflow', () => {
  it('is what GitHub takes, with every input that the action needs', () => {
    expect(lint(workflow ?? '')).toBe('');
    expect(lint((workflow ?? '').replace('mode: check', 'mod: check'))).toContain('"mod"');
  });

  it('pins every action of others to a commit', () => {
    const used = [...(workflow ?? '').matchAll(/uses: (?<action>\S+)/g)];
    const pinned = /^(?:\.\/\.github\/actions\/loadout|actions\/[a-z-]+@[0-9a-f]{40})$/;
    expect(used).toHaveLength(6);
    for (const { groups } of used) expect(groups?.['action']).toMatch(pinned);
  });
});
