/** Which players an edit is tried on before it is published, and what that says of real ones. */
import { SegmentedControl } from '@mantine/core';
import type { Preview } from '../../../contract/operations/preview.js';
import { counted } from '../../parts/counted.js';
import { exactTime } from '../../parts/time/formats.js';

export type EffectSource = 'made up' | 'sampled' | 'pasted';

export interface SourceSelectProps {
  readonly source: EffectSource;
  readonly onChange: (source: EffectSource) => void;
  /** The environment keeps contexts of requests. */
  readonly isSampled: boolean;
  /** How many contexts were pasted. */
  readonly pasted: number;
}

export function SourceSelect({ source, onChange, isSampled, pasted }: SourceSelectProps) {
  const sources = [
    { value: 'made up', label: 'Made up', disabled: false },
    { value: 'sampled', label: 'Recent requests', disabled: !isSampled },
    {
      value: 'pasted',
      label: pasted === 0 ? 'Pasted' : `Pasted (${pasted.toLocaleString('en')})`,
      disabled: pasted === 0,
    },
  ] as const;
  return (
    <SegmentedControl
      size="xs"
      aria-label="Try it on"
      value={source}
      data={[...sources]}
      onChange={(value) => {
        const chosen = sources.find((one) => one.value === value);
        if (chosen !== undefined) onChange(chosen.value);
      }}
    />
  );
}

/** How the source is called behind a number: `10,000 made-up users`. */
export function countedSource(source: EffectSource, count: number): string {
  if (source === 'sampled') return counted(count, 'recent request');
  return counted(count, source === 'made up' ? 'made-up user' : 'pasted user');
}

/** What the figures are of, and what they do not say. */
export function describeSource(
  source: EffectSource,
  preview: Preview,
  isSampled: boolean,
): readonly (string | false)[] {
  switch (source) {
    case 'made up':
      return describeMadeUp(preview, isSampled);
    case 'sampled':
      return describeSampled(preview);
    case 'pasted':
      return [
        'These are the users of the Preview tab.',
        preview.faulty > 0 && `${counted(preview.faulty, 'invalid line')} left out.`,
      ];
  }
}

function describeMadeUp({ madeUp }: Preview, isSampled: boolean): readonly (string | false)[] {
  const anonymous = madeUp?.withoutUserId;
  return [
    'These users are made up from the rules, live and edited, and from frequent values of requests. They are not a sample of your players. Only the shares within a test apply to real players.',
    !isSampled &&
      'For real ones, an owner can have contexts of requests sampled (Environments, Request data…).',
    anonymous !== undefined &&
      anonymous.changed.contexts > 0 &&
      `Of ${anonymous.contexts} users without a user id, all in bucket 0, ${anonymous.changed.contexts} would get something different.`,
  ];
}

function describeSampled({ sampled }: Preview): readonly (string | false)[] {
  const { requests = 0, since = null, reduced = 0 } = sampled ?? {};
  if (since === null) {
    return [
      'This server has sampled no requests yet. It starts when it starts, and reports once a minute.',
    ];
  }
  return [
    `A uniform sample of about ${requests.toLocaleString('en')} requests to this server since ${exactTime(since)}: players who play more often count more often. Ids are pseudonyms, so buckets are drawn again, and no condition on a user id matches.`,
    reduced > 0 &&
      `${counted(reduced, 'context')} of them without attributes that are not kept: ids, addresses, long values.`,
  ];
}
