/** Words for what is in a store file. */

import type { StoreFacts } from '../../management/backup/backup-check.js';
import { counted } from '../terminal/counted.js';

/** Without a full stop: `3 environments, 120 contents, sequence 4711`. */
export function formatStoreFacts({ environments, contents, sequence }: StoreFacts): string {
  return `${counted(environments, 'environment')}, ${counted(contents, 'content')}, sequence ${sequence}`;
}
