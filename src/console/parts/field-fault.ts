/** Which words of a refusal belong to which input of a form. */
import { ApiProblem } from '../api/call.js';

/** What was wrong with the input that the API calls `path` (or with something inside it); null: nothing. */
export function fieldFault(error: unknown, path: string): string | null {
  if (!(error instanceof ApiProblem)) return null;
  const fault = error.errors.find(({ path: at }) => isAt(at, path));
  return fault === undefined ? null : sentence(fault.message);
}

/** The error itself, when it is not (or not only) about these inputs; it is shown above or below them. */
export function otherFault(error: unknown, paths: readonly string[]): unknown {
  if (!(error instanceof ApiProblem) || error.errors.length === 0) return error;
  const isShown = error.errors.every(({ path: at }) => paths.some((path) => isAt(at, path)));
  return isShown ? null : error;
}

function isAt(at: string, path: string): boolean {
  return at === path || at.startsWith(`${path}[`) || at.startsWith(`${path}.`);
}

/** The API's messages go on after the name of the input, which here is the label above. */
function sentence(message: string): string {
  const text = `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
  return text.endsWith('.') ? text : `${text}.`;
}
