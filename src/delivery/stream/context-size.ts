/** How large the evaluation context of a stream is, as JSON and in memory: `{}` takes 20 times its three bytes there. */
import type { EvaluationContext } from '../../content/evaluation-context.js';

export interface ContextSize {
  /** Length of user id and attributes as JSON; Infinity where they nest too deep to be written. */
  readonly jsonBytes: number;
  /** What they hold in memory, bytes, rather too many than too few. */
  readonly heldBytes: number;
}

/** An object or a list, and a member of it (Node 22: an empty object has 56 bytes and a place of 8 in what holds it). */
const containerBytes = 48;
const memberBytes = 32;

const openBrace = 0x7b;
const openBracket = 0x5b;
const comma = 0x2c;

/** Brackets and commas within texts count as well. */
export function contextSizeOf({ u, p }: Pick<EvaluationContext, 'u' | 'p'>): ContextSize {
  let json: string;
  try {
    json = JSON.stringify(p);
  } catch {
    return { jsonBytes: Number.POSITIVE_INFINITY, heldBytes: Number.POSITIVE_INFINITY };
  }
  const jsonBytes = u.length + json.length;
  let heldBytes = 2 * jsonBytes;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === openBrace || code === openBracket) heldBytes += containerBytes;
    else if (code === comma) heldBytes += memberBytes;
  }
  return { jsonBytes, heldBytes };
}
