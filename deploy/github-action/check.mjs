/** Checks the folder of a pull request, and says in one comment what it would change for players. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeComment } from './comments.mjs';
import { dryRun, loadout, rejectReviewed } from './loadout.mjs';
import { changeLines, comment, fenced } from './report.mjs';
import { ActionFailure, addSummary, annotate, printText, setOutput } from './workflow.mjs';

/** Previews take a second each on large contents. */
const previewsMax = 10;

export async function check(inputs) {
  const report = makeReport(inputs);
  const marker = `<!-- loadout-content ${inputs.env} ${inputs.dir.replace(/[^\w./-]/g, '_')} -->`;
  const body = comment(marker, report.parts);
  printText(report.parts.join('\n\n'));
  addSummary(report.parts.join('\n\n'));
  setOutput('changed', report.changed);
  await publish(inputs, marker, body);
  if (report.isRejected) throw new ActionFailure('The folder cannot be imported: see the summary.');
}

/** @returns {{ parts: string[], changed: number | '', isRejected: boolean }} */
function makeReport({ dir, env, hasToken, event }) {
  const head = `### Loadout: what this changes in ${code(env)}`;
  const { ok, value, stderr } = loadout(['validate', '--dir', dir, '--json']);
  if (value === null) {
    const parts = [head, 'The folder cannot be read.', fenced(stderr)];
    return { parts, changed: '', isRejected: true };
  }
  const faults = findingsOf(value.contents, 'errors');
  if (!ok) {
    const parts = [head, '**It cannot be imported.**', fenced(faults)];
    return { parts, changed: '', isRejected: true };
  }
  if (!hasToken) return withoutServer(head, value, event);
  rejectReviewed(env);
  const imported = dryRun(dir);
  if (!imported.ok || imported.value === null) {
    const parts = [head, '**The server rejects it.**', fenced(imported.stderr)];
    return { parts, changed: '', isRejected: true };
  }
  return withServer(head, dir, imported);
}

function withoutServer(head, { contents }, event) {
  const why = isFork(event) ? 'A pull request of a fork has no secrets' : 'There is no token';
  const parts = [
    head,
    `${why}, so this was checked without the server: ${contents.length} content items are valid by themselves. What changes for players, and what guards say, is not known until somebody with access runs the check.`,
  ];
  const warnings = findingsOf(contents, 'warnings');
  if (warnings !== '') parts.push('Warnings:', fenced(warnings));
  return { parts, changed: '', isRejected: false };
}

function withServer(head, dir, { value, stderr }) {
  const { added, changed, removed } = value.counts;
  const sum = added + changed + removed + value.segments.length;
  if (sum === 0) return { parts: [head, 'Nothing.'], changed: 0, isRejected: false };
  const parts = [head, countsOf(value), fenced(changeLines(value), 'diff')];
  const effects = previewEffects(dir, value.contents);
  if (effects !== '') {
    parts.push(
      'Players that would get other data, of those that the server knows or makes up:',
      fenced(effects),
    );
  }
  const { confirmation, warnings } = value;
  if (confirmation) {
    const who = confirmation.required ? 'Guards want this confirmed' : 'Guards point at this';
    const found = confirmation.warnings.map(
      (each) => `${each.content}${each.path}: ${each.message}`,
    );
    parts.push(`**${who}:**`, fenced(found.join('\n')));
  }
  if (warnings.length > 0) {
    parts.push(
      'Warnings:',
      fenced(warnings.map(({ path, message }) => `${path ?? ''} ${message}`).join('\n')),
    );
  } else if (stderr !== '') printText(stderr);
  return { parts, changed: added + changed + removed, isRejected: false };
}

function countsOf({ counts: { added, changed, removed }, segments }) {
  const more = segments.length === 0 ? '' : ` ${segments.length} segments differ.`;
  return `${added} added, ${changed} changed, ${removed} removed.${more}`;
}

/** `shop: 250 of 1000 (25 %)` for each changed content; one that cannot be previewed is not listed. */
function previewEffects(dir, contents) {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-action-'));
  try {
    const changed = contents.filter(({ change }) => change === 'changed');
    const lines = changed.slice(0, previewsMax).flatMap(({ id }) => previewEffect(dir, id, folder));
    if (changed.length > previewsMax) lines.push(`… and ${changed.length - previewsMax} more`);
    return lines.join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of the line that all versions get; a content with others has one text for each, and a preview takes one. */
function previewEffect(dir, id, folder) {
  const text = join(dir, `${id}.jsonc`);
  const mapping = join(folder, 'mapping.json');
  let rules;
  try {
    readFileSync(text);
    rules = JSON.parse(readFileSync(join(dir, `${id}.json`), 'utf8')).mapping ?? [];
  } catch (error) {
    if (error.code !== 'ENOENT') return [];
    rules = [];
  }
  writeFileSync(mapping, JSON.stringify(rules));
  const { ok, value } = loadout(['preview', id, '--file', text, '--mapping', mapping, '--json']);
  if (!ok || value === null) return [];
  const percent = (value.changed.share * 100).toFixed(1);
  return [`${id}: ${value.changed.contexts} of ${value.contexts} (${percent} %)`];
}

function findingsOf(contents, kind) {
  const lines = contents.flatMap((content) =>
    content[kind].map(({ path = '', message, line, column }) => {
      const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
      return `${content.id} ${path}: ${message}${place}`;
    }),
  );
  return lines.join('\n');
}

function code(text) {
  return `\`${text.replace(/[^\w.-]/g, '_')}\``;
}

function isFork({ pull_request: pull }) {
  return pull !== undefined && pull.head?.repo?.full_name !== pull.base?.repo?.full_name;
}

/** The token of a fork's pull request can only read. */
async function publish({ event }, marker, body) {
  const number = event.pull_request?.number;
  if (number === undefined) return;
  if (isFork(event)) {
    annotate('notice', 'A pull request of a fork gets no comment: the report is in the summary.');
    return;
  }
  const written = await writeComment(process.env.GITHUB_REPOSITORY, number, marker, body);
  console.log(`The comment was ${written}.`);
}
