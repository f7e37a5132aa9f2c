/** Colours of what goes to stdout: on a terminal only, unless FORCE_COLOR asks for them; never with NO_COLOR. */

import { styleText } from 'node:util';
import { io } from './io.js';

/** What something means; colour is never the only sign of it. */
export type Tone = 'good' | 'attention' | 'bad' | 'heading';

const styles = {
  good: 'green',
  attention: 'yellow',
  bad: 'red',
  heading: 'bold',
} as const;

/** `text` has no control characters of others. */
export function coloured(tone: Tone | null, text: string): string {
  if (tone === null || text === '' || !hasColours()) return text;
  return styleText(styles[tone], text, { validateStream: false });
}

/** https://no-color.org, https://force-color.org: NO_COLOR wins. */
function hasColours(): boolean {
  const { env, stdout } = io();
  const { NO_COLOR: no = '', FORCE_COLOR: force, TERM: terminal } = env;
  if (no !== '') return false;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return stdout.isTTY === true && terminal !== 'dumb';
}
