/** Imports the folder after a merge, and makes a release for people to approve where one is wanted. Safe to run again. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dryRun, loadout, mustLoadout, rejectReviewed } from './loadout.mjs';
import { changeLines, fenced } from './report.mjs';
import { ActionFailure, addSummary, printText, setOutput } from './workflow.mjs';

const titleCharsMax = 80;
/** How far back a deployment may be; each costs two commands. */
const versionsMax = 20;
const archiveBytesMax = 512 * 1024 * 1024;
/** Releases that are over: another run makes another one. */
const over = ['live', 'reverted', 'cancelled'];

export async function deploy(inputs) {
  const { dir, env, hasToken, acceptsFindings } = inputs;
  if (!hasToken) throw new ActionFailure('A deployment needs the token of a Loadout user.');
  rejectReviewed(env);
  const head = dryRun(dir);
  if (!head.ok || head.value === null) {
    throw new ActionFailure(`${env} rejects the folder.\n${head.stderr}`);
  }
  rejectConflicts(inputs, head.value);
  const { confirmation } = head.value;
  if (confirmation?.required && !acceptsFindings) {
    const found = confirmation.warnings.map(
      (each) => `${each.content}${each.path}: ${each.message}`,
    );
    throw new ActionFailure(
      `Guards want values confirmed, and accept-findings is not set.\n${found.join('\n')}`,
    );
  }
  const done = mustLoadout(['import', '--dir', dir, '--yes', '--json'], `The import into ${env}`);
  const { added, changed, removed } = done.counts;
  setOutput('changed', added + changed + removed);
  const parts = [
    `### Loadout: imported into \`${env}\``,
    `${added} added, ${changed} changed, ${removed} removed.`,
  ];
  const lines = changeLines(head.value);
  if (lines !== '') parts.push(fenced(lines, 'diff'));
  if (inputs.releaseTo !== '') parts.push(release(inputs));
  printText(parts.join('\n\n'));
  addSummary(parts.join('\n\n'));
}

/**
 * Rejects edits that were made in the environment and that this import would cover: a content item that differs now and
 * equals none of the last versions of the folder; so with segments. Of these there are several where a deployment failed or was skipped.
 */
function rejectConflicts({ dir, env, overwrites }, head) {
  let suspects = changedIn(head).map(({ name }) => name);
  if (overwrites || suspects.length === 0) return;
  for (const commit of versionsOf(dir)) {
    const known = deliveredAt(commit, dir);
    suspects = suspects.filter((id) => !known.has(id));
    if (suspects.length === 0) return;
  }
  throw new ActionFailure(
    `${suspects.join(', ')} in ${env} is of none of the last ${versionsMax} versions of ${dir}: somebody edited it outside Git. Bring the edit into the repository with \`loadout export --dir\`, or set overwrite. (Without the history of the branch, every content item looks edited: check out with fetch-depth: 0.)`,
  );
}

/** Commits that changed the folder, newest first. */
function versionsOf(dir) {
  const args = ['rev-list', '--first-parent', `--max-count=${versionsMax}`, 'HEAD', '--', dir];
  const listed = spawnSync('git', args, { encoding: 'utf8' });
  if (listed.status !== 0) throw new ActionFailure(`git has no history.\n${listed.stderr}`);
  return listed.stdout.split('\n').filter((line) => line !== '');
}

/** Content items and segments that are in the environment as they are in the folder of the commit. */
function deliveredAt(commit, dir) {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-version-'));
  try {
    const archive = spawnSync('git', ['archive', '--format=tar', commit, '--', dir], {
      maxBuffer: archiveBytesMax,
    });
    const tar = spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout });
    if (archive.status !== 0 || tar.status !== 0) return new Set();
    const version = join(folder, dir);
    const ids = loadout(['validate', '--dir', version, '--json']).value?.contents ?? [];
    const { value } = dryRun(version);
    if (value === null || value.contentsCut) return new Set();
    const there = [...ids.map(({ id }) => id), ...segmentsIn(version)];
    const other = new Set(changedIn(value, true).map(({ name }) => name));
    return new Set(there.filter((name) => !other.has(name)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What an import writes over, or with `all` also what it adds. */
function changedIn({ contents, segments }, all = false) {
  return [
    ...contents.map(({ id, change }) => ({ name: id, change })),
    ...segments.map(({ name, change }) => ({ name: `segment ${name}`, change })),
  ].filter(({ change }) => all || change === 'changed');
}

function segmentsIn(folder) {
  const segments = join(folder, 'segments');
  if (!existsSync(segments)) return [];
  return readdirSync(segments)
    .filter((file) => file.endsWith('.json'))
    .map((file) => `segment ${JSON.parse(readFileSync(join(segments, file), 'utf8')).name}`);
}

/** Makes a release of what differs, once for each commit, and submits it where approvals are asked for. */
function release({ env, releaseTo, event }) {
  const commit = process.env.GITHUB_SHA ?? '';
  const subject = (event.head_commit?.message ?? '').split('\n')[0];
  const title = `${commit.slice(0, 12)} ${subject}`.trim().slice(0, titleCharsMax);
  const number = openRelease(releaseTo, title) ?? makeRelease(env, releaseTo, title);
  if (number === null) return `\`${releaseTo}\` has all of it already: no release was made.`;
  setOutput('release', number);
  const { review } = mustLoadout(['env', 'show', releaseTo, '--json'], `Reading ${releaseTo}`);
  if (review === 0) {
    return `Release ${number} of \`${releaseTo}\` is a draft: \`loadout release live ${releaseTo} ${number}\` publishes it.`;
  }
  const { state } = mustLoadout(
    ['release', 'show', releaseTo, `${number}`, '--json'],
    'Reading it',
  );
  if (state === 'draft') {
    mustLoadout(['release', 'submit', releaseTo, `${number}`, '--json'], 'Submitting the release');
  }
  return `Release ${number} of \`${releaseTo}\` waits for ${review} ${review === 1 ? 'approval' : 'approvals'}: \`loadout release approve ${releaseTo} ${number}\`, or *Releases* in the console.`;
}

function openRelease(environment, title) {
  const { releases } = mustLoadout(['release', 'list', environment, '--json'], 'Listing releases');
  const found = releases.find((each) => each.title === title && !over.includes(each.state));
  return found?.release ?? null;
}

function makeRelease(from, to, title) {
  const { ok, value, stderr } = loadout(['sync', from, to, '--release', title, '--json']);
  if (!ok || value === null) throw new ActionFailure(`No release of ${to} was made.\n${stderr}`);
  return value.release;
}
