/** With the addon. */
import type { Contender } from '../contender.js';
import type { Wanted } from './question.js';
import { renderWith } from './render-body.js';

export const contender: Contender<Wanted, Uint8Array> = (wanted, root) =>
  renderWith('on', wanted, root);
