/**
 * Makes Markdown of reports. Everything that people wrote is in a code fence that nothing in it can end, so it mentions
 * nobody, links nowhere and is no HTML.
 */

/** GitHub takes 65,536 characters in a comment. */
export const commentCharsMax = 65_536;
const fencedCharsMax = 20_000;
const lineCharsMax = 400;
const signs = { added: '+', changed: '~', removed: '-' };

/** A fence that is longer than every run of backticks in the text; long texts are cut at a line. */
export function fenced(text, language = '') {
  const lines = text.split('\n').map((line) => plain(line));
  const kept = [];
  let characters = 0;
  for (const line of lines) {
    characters += line.length + 1;
    if (characters > fencedCharsMax) break;
    kept.push(line);
  }
  const left = lines.length - kept.length;
  if (left > 0) kept.push(`… ${left} more lines, in the log of the job`);
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${kept.join('\n')}\n${fence}`;
}

/** Without what steers a terminal or turns the direction of text, and not endless. */
function plain(line) {
  const text = line.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
  return text.length > lineCharsMax ? `${text.slice(0, lineCharsMax)}…` : text;
}

/** The changes of an import, as a diff. */
export function changeLines({ contents, segments, contentsCut }) {
  const lines = segments.map(({ name, change }) => `${signs[change]} segment ${name}`);
  for (const content of contents) {
    lines.push(`${signs[content.change]} ${content.id}`);
    for (const { appVersion, change, pointers, pointersCut } of content.lines) {
      if (content.change === 'changed') lines.push(`    line ${appVersion}: ${change}`);
      for (const pointer of pointers) lines.push(`      ${pointerLine(pointer)}`);
      if (pointersCut) lines.push('      … and more');
    }
    if (content.mapping !== 'same') lines.push(`    targeting rules ${content.mapping}`);
    if (content.about.length > 0) lines.push(`    ${content.about.join(', ')}`);
  }
  if (contentsCut) lines.push('… and more content items');
  return lines.join('\n');
}

function pointerLine({ path, change, before, after }) {
  if (change === 'added') return `+ ${path}: ${after}`;
  if (change === 'removed') return `- ${path}: ${before}`;
  return `~ ${path}: ${before} -> ${after}`;
}

/** `marker` first, so that the comment is found again; cut as a whole when it is too long after all. */
export function comment(marker, parts) {
  const body = [marker, ...parts].join('\n\n');
  if (body.length <= commentCharsMax) return body;
  const note = 'This report is too long for a comment: the summary of the job has all of it.';
  const kept = [];
  let characters = marker.length + note.length + 4;
  for (const part of parts) {
    characters += part.length + 2;
    if (characters > commentCharsMax) break;
    kept.push(part);
  }
  return [marker, ...kept, note].join('\n\n');
}
