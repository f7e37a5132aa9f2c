/** The problems of contents, revisions and version lines that do not exist. */
import { Problem } from '../../contract/problems.js';

export function contentUnknown(environment: string, id: string): Problem {
  const detail = `The environment "${environment}" has no content "${id}".`;
  return new Problem('content_not_found', detail);
}

export function revisionUnknown(id: string, number: number): Problem {
  return new Problem('revision_not_found', `"${id}" has no revision ${number}.`);
}

/** An edit keeps the text of a version line that does not exist. */
export function keptLineUnknown(id: string, appVersion: string): Problem {
  const detail = `"${id}" has no line ${appVersion} to keep the text of: send its text.`;
  return new Problem('line_not_found', detail);
}
