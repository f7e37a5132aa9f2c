/** The state of a rule's time window, as a badge. */
import { Badge } from '@mantine/core';
import type { WindowSource } from './read-window.js';
import { type WindowState, windowNow } from './window-state.js';

const colours: Readonly<Record<WindowState, string>> = {
  always: 'gray',
  later: 'blue',
  running: 'teal',
  over: 'gray',
};

/** Nothing for a rule without a window, or with one that the server rejects. */
export function WindowBadge(source: WindowSource) {
  const { state, words } = windowNow(source, Date.now());
  if (state === 'always' || words === '') return null;
  return (
    <Badge variant="light" color={colours[state]} autoContrast>
      {words}
    </Badge>
  );
}
