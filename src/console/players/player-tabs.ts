/** The tabs of Players: the name in the path, the label, and what is shown. */
import type { ReactNode } from 'react';
import { IncidentTab } from './incident-tab.js';
import { PlayerTab } from './player-tab.js';

export interface TabOfPlayers {
  /** '' for the first. */
  readonly name: string;
  readonly label: string;
  readonly Tab: (props: { readonly environment: string }) => ReactNode;
}

export const playerTabs: readonly TabOfPlayers[] = [
  { name: '', label: 'Player', Tab: PlayerTab },
  { name: 'incident', label: 'Incident', Tab: IncidentTab },
];
