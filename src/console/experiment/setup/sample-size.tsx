/** How many players the plan needs, and how many days that takes: from what the metric was so far, or from what is typed. */
import { Button, Group, NumberInput, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseTo } from '../../../contract/client.js';
import { formatPart } from '../../../contract/results/effect-words.js';
import type { Metric } from '../../../contract/schemas/metric.js';
import { ApiProblem, request } from '../../api/call.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { effectOf, type PlanValues } from './plan-values.js';
import { isShare, type Known, sourceOf, wholeWeeks } from './sample-source.js';

export interface SampleSizeProps {
  readonly env: string;
  /** The primary metric; null: none is chosen. */
  readonly metric: Metric | null;
  readonly effect: PlanValues['smallestEffect'];
  readonly variants: number;
  /** Of the players who match the rule, those in any variant: a part of 1. */
  readonly share: number;
  readonly onDays: (days: number) => void;
}

export function SampleSize(props: SampleSizeProps) {
  const { env, metric, effect, variants, share, onDays } = props;
  const [known, setKnown] = useState<Known>({ share: '', mean: '', deviation: '' });
  const [perDay, setPerDay] = useState<number | string>('');
  const computing = useMutation({
    mutationFn: () =>
      request('POST /environments/:env/experiments/sample-size', {
        params: { env },
        body: {
          ...sourceOf(metric, known),
          smallestEffect: effectOf({ smallestEffect: effect }),
          variants,
          share,
          playersPerDay: Number(perDay) > 0 ? Number(perDay) : undefined,
        },
      }),
  });
  if (metric === null) {
    return (
      <Text size="sm" c="dimmed">
        With a primary metric, the number of players that it needs can be computed here.
      </Text>
    );
  }
  const set = (part: Partial<Known>): void => setKnown({ ...known, ...part });
  return (
    <Paper withBorder p="sm" component="section" aria-labelledby="size-title">
      <Stack gap="sm">
        <Title order={2} size="h5" id="size-title">
          How many players it takes
        </Title>
        <Text size="sm" c="dimmed">
          Leave {metric.name} empty to use what it was in the newest experiment that measured it.
        </Text>
        <Group align="flex-end" gap="sm">
          {isShare(metric) ? (
            <NumberInput
              label={`${metric.name} today`}
              suffix=" %"
              min={0}
              max={100}
              decimalScale={3}
              value={known.share}
              onChange={(value) => set({ share: value })}
            />
          ) : (
            <>
              <NumberInput
                label={`${metric.name} per player`}
                value={known.mean}
                onChange={(value) => set({ mean: value })}
              />
              <NumberInput
                label="Its standard deviation"
                min={0}
                value={known.deviation}
                onChange={(value) => set({ deviation: value })}
              />
            </>
          )}
          <NumberInput
            label="New players a day"
            min={0}
            thousandSeparator=","
            value={perDay}
            onChange={setPerDay}
          />
          <Button
            variant="default"
            loading={computing.isPending}
            onClick={() => computing.mutate()}
          >
            Compute
          </Button>
        </Group>
        {computing.error !== null && <Failed error={computing.error} metric={metric.name} />}
        {computing.data !== undefined && (
          <Size size={computing.data} share={share} onDays={onDays} />
        )}
      </Stack>
    </Paper>
  );
}

interface FailedProps {
  readonly error: unknown;
  readonly metric: string;
}

function Failed({ error, metric }: FailedProps) {
  const isUnknown =
    error instanceof ApiProblem && error.errors.some(({ path }) => path === 'metric');
  if (!isUnknown) return <ProblemAlert error={error} />;
  return (
    <Text size="sm" c="red" role="alert">
      No experiment has measured {metric} lately: type what it is today.
    </Text>
  );
}

type SizeOfSample = ResponseTo<'POST /environments/:env/experiments/sample-size'>;

interface SizeProps extends Pick<SampleSizeProps, 'share' | 'onDays'> {
  readonly size: SizeOfSample;
}

function Size({ size: { usersPerVariant, users, days }, share, onDays }: SizeProps) {
  const weeks = days === null ? null : wholeWeeks(days);
  return (
    <Group gap="sm" role="status">
      <Text size="sm">
        <strong>{usersPerVariant.toLocaleString('en')} players per variant</strong>,{' '}
        {users.toLocaleString('en')} in all
        {share < 1 && ` (${formatPart(share)} of the players take part)`}
        {days !== null && `: about ${days.toLocaleString('en')} days`}.
      </Text>
      {weeks !== null && (
        <Button size="xs" variant="light" onClick={() => onDays(weeks)}>
          Plan {weeks} days
        </Button>
      )}
    </Group>
  );
}
