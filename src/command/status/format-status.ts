/** The screen of `loadout status`. */

import { coloured, type Tone } from '../terminal/colour.js';
import { oneLine } from '../terminal/output.js';
import { type Column, formatTable } from '../terminal/table.js';
import type { EnvironmentStatus, Status } from './status.js';

type Node = Status['nodes'][number];
type Release = EnvironmentStatus['releases'][number];

const tones: Readonly<Record<Status['state'], Tone>> = {
  healthy: 'good',
  attention: 'attention',
  failing: 'bad',
};

const nodeColumns: readonly Column<Node>[] = [
  { title: 'NODE', text: ({ name }) => name },
  { title: 'VERSION', text: ({ version }) => version },
  { title: 'SEQUENCE', text: ({ sequence }) => String(sequence) },
  { title: 'LAG', text: ({ lag }) => String(lag) },
  { title: 'STATE', text: nodeState, tone: nodeTone },
];

const environmentColumns: readonly Column<EnvironmentStatus>[] = [
  { title: 'ENVIRONMENT', text: ({ id }) => id },
  { title: 'PROTECTED', text: (environment) => (environment.protected ? 'yes' : 'no') },
  { title: 'LIVE', text: ({ contents }) => `${contents.live} of ${contents.total}` },
  { title: 'DRAFTS', text: ({ contents }) => String(contents.drafts) },
  { title: 'EXPERIMENTS', text: ({ experiments }) => String(experiments) },
  { title: 'RELEASES', text: ({ releases }) => String(releases.length) },
];

interface PlacedRelease extends Release {
  readonly of: string;
}

const releaseColumns: readonly Column<PlacedRelease>[] = [
  { title: 'RELEASE', text: ({ of, release }) => `${of} ${release}` },
  { title: 'STATE', text: releaseState, tone: releaseTone },
  { title: 'CHANGES', text: ({ changes }) => String(changes) },
  { title: 'BY', text: ({ createdBy }) => createdBy },
  { title: 'TITLE', text: ({ title }) => title },
];

export function formatStatus(status: Status): string {
  const { url, profile, version, state, findings, sequence, nodes, environments } = status;
  const by = profile === null ? '' : ` (profile ${profile})`;
  const name = version === null ? 'Loadout' : `Loadout ${version}`;
  const head = `${oneLine(`${name} at ${url}${by}`)}: ${coloured(tones[state], state)}, sequence ${sequence}\n`;
  const wrong = findings.map(({ severity, summary, look }) => {
    const tone = severity === 'failing' ? 'bad' : 'attention';
    return `${coloured(tone, severity)}: ${oneLine(summary)}\n  ${oneLine(look)}\n`;
  });
  const releases = environments.flatMap(({ id, releases }) =>
    releases.map((release) => ({ ...release, of: id })),
  );
  const parts = [
    head + wrong.join(''),
    formatTable(nodeColumns, nodes, 'No servers.'),
    formatTable(environmentColumns, environments, 'No environments.'),
    formatTable(releaseColumns, releases, 'No releases ramp, are paused or are scheduled.'),
  ];
  return parts.join('\n');
}

function nodeState({ live, serving, self }: Node): string {
  const state = live ? (serving > 0 ? 'live' : 'live, not serving') : 'away';
  return self ? `${state} (asked)` : state;
}

function nodeTone({ live, serving }: Node): Tone {
  return live && serving > 0 ? 'good' : 'bad';
}

function releaseState({ state, percent, scheduledAt }: Release): string {
  if (state === 'scheduled') return `${state} ${scheduledAt}`;
  return percent === null ? state : `${state} ${percent} %`;
}

function releaseTone({ state }: Release): Tone | null {
  return state === 'paused' ? 'attention' : state === 'ramping' ? 'good' : null;
}
