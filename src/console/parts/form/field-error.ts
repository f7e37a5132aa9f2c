/** Which message of a rejected request belongs to which input of a form. */
import { ApiProblem } from '../../api/call.js';

/** The issue of the input that the API calls `path`, or of something inside it; null: there is none. */
export function fieldError(error: unknown, path: string): string | null {
  if (!(error instanceof ApiProblem)) return null;
  const issue = error.errors.find(({ path: at }) => isAt(at, path));
  return issue === undefined ? null : sentence(issue.message);
}

/** The error itself, unless these inputs show all of it; it belongs above or below them. */
export function unshownError(error: unknown, paths: readonly string[]): unknown {
  if (!(error instanceof ApiProblem) || error.errors.length === 0) return error;
  const isShown = error.errors.every(({ path: at }) => paths.some((path) => isAt(at, path)));
  return isShown ? null : error;
}

function isAt(at: string, path: string): boolean {
  return at === path || at.startsWith(`${path}[`) || at.startsWith(`${path}.`);
}

/** The API's messages continue the name of the input, which here is the label above. */
function sentence(message: string): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return text.endsWith('.') ? text : `${text}.`;
}
