/** What publishing would change for many users, made up, sampled or pasted, and for the sample users. For the dialogs that publish. */
import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useEnvironment } from '../../parts/environments.js';
import { usePastedContexts } from '../contexts/pasted-contexts.js';
import { useSampleUsers } from '../contexts/sample-users.js';
import { readContexts } from '../contexts/typed-contexts.js';
import { EffectCounts } from './effect-counts.js';
import { type Effect, type EffectOptions, useEffectPreview } from './effect-query.js';
import { type EffectSource, SourceSelect } from './effect-source.js';
import { SampleEffect } from './sample-effect.js';

export function EditEffect(options: EffectOptions) {
  const { env } = options.saved;
  const isSampled = useEnvironment(env)?.traffic === 'contexts';
  const [{ text }] = usePastedContexts(env);
  const pasted = useMemo(() => readContexts(text).contexts.map(({ source }) => source), [text]);
  const [chosen, setChosen] = useState<EffectSource | null>(null);
  const source = chosen ?? (isSampled ? 'sampled' : 'made up');
  const users = useSampleUsers(env);
  // Without them the others still show most of the effect.
  const known = users.data ?? (users.error === null ? null : noUsers);
  const samples = useMemo(() => known?.map(({ context }) => context) ?? null, [known]);
  const effect = useEffectPreview(options, source, samples, pasted);
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <SourceSelect {...{ source, isSampled }} pasted={pasted.length} onChange={setChosen} />
        <Progress effect={effect} source={source} />
      </Group>
      {effect.preview !== undefined && (
        <Stack gap="xs" role="status">
          <EffectCounts preview={effect.preview} {...{ source, isSampled }} />
          {source !== 'pasted' && (
            <SampleEffect
              given={effect.preview.given ?? null}
              users={known ?? noUsers}
              error={users.error}
            />
          )}
        </Stack>
      )}
    </Stack>
  );
}

const noUsers = [] as const;

interface ProgressProps {
  readonly effect: Effect;
  readonly source: EffectSource;
}

/** Publishing waits for none of it. */
function Progress({ effect, source }: ProgressProps) {
  const { preview, error, isCounting, isPartial, cancel, count } = effect;
  if (error !== null) {
    return (
      <Group gap="xs" role="alert">
        <Text size="sm">
          The effect on players is unknown: {error.message} You can still publish.
        </Text>
        <Button size="compact-sm" variant="default" loading={isCounting} onClick={count}>
          Try again
        </Button>
      </Group>
    );
  }
  if (!isCounting) {
    return preview === undefined || isPartial ? (
      <Button size="compact-sm" variant="default" onClick={count}>
        {isPartial ? 'Count 10,000' : 'Count'}
      </Button>
    ) : null;
  }
  return (
    <Group gap="xs" role="status">
      <Loader size="xs" aria-hidden />
      <Text size="sm">
        {preview === undefined
          ? `Trying it on ${triedOn[source]}…`
          : 'Counting the rest of 10,000…'}
      </Text>
      <Button size="compact-sm" variant="subtle" onClick={cancel}>
        Stop counting
      </Button>
    </Group>
  );
}

const triedOn: Readonly<Record<EffectSource, string>> = {
  'made up': '10,000 made-up users and the sample users',
  sampled: 'recent requests and the sample users',
  pasted: 'the pasted users',
};
