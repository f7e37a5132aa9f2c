/** What one revision of a content changed over another: its texts and its mapping, side by side. */
import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import type { RevisionState } from '../../contract/schemas/revision-state.js';
import { ApiProblem, requestText } from '../api/call.js';
import { sourceAt } from '../api/raw-json.js';
import { pathOf } from '../parts/environments.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import type { ComparedRevisions } from './compared-revisions.js';

const DiffView = lazy(async () => ({
  default: (await import('../parts/code/diff-view.js')).DiffView,
}));

interface Changed {
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

export function ContentChanges({ env, id, from, to }: ComparedRevisions) {
  const { data, error, refetch } = useQuery({
    queryKey: ['environments', env, 'contents', id, 'revisions', 'compared', from, to],
    queryFn: async () => {
      const [before, after] = await Promise.all([
        from === null ? new Map<string, string>() : partsOf(env, id, from),
        partsOf(env, id, to),
      ]);
      return changedBetween(before, after);
    },
    // Revisions never change.
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error instanceof ApiProblem && error.status === 404) {
    return (
      <Text size="sm" c="dimmed">
        The texts cannot be shown any more: the content or one of its revisions is gone.
      </Text>
    );
  }
  if (error !== null) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton h={160} aria-label="Loading what changed" />;
  return (
    <Stack gap="md">
      {data.length === 0 && (
        <Text size="sm" c="dimmed">
          Neither a text nor the mapping changed.
        </Text>
      )}
      {data.map(({ title, before, after }) => (
        <div key={title}>
          <Title order={2} size="sm" mb={4}>
            {title}
          </Title>
          <Suspense fallback={<Skeleton h={160} />}>
            <DiffView
              before={before}
              after={after}
              beforeLabel={from === null ? 'Before: nothing' : `Revision ${from}`}
              afterLabel={`Revision ${to}`}
              maxRows={24}
            />
          </Suspense>
        </div>
      ))}
      <Anchor
        component={Link}
        href={pathOf.content(env, id, 'history')}
        size="sm"
        underline="always"
      >
        The whole history of {id}
      </Anchor>
    </Stack>
  );
}

/** Each text under the name of its line, and the mapping as it is spelled. */
async function partsOf(env: string, id: string, revision: number): Promise<Map<string, string>> {
  const params = { env, id, revision: String(revision) };
  const json = await requestText('GET /environments/:env/contents/:id/revisions/:revision', {
    params,
  });
  // The texts are strings, which no parser changes.
  const { lines } = JSON.parse(json) as RevisionState;
  const mapping = sourceAt(json, ['mapping']) ?? '[]';
  return new Map([
    ...lines.map(({ appVersion, text }) => [`Text of line ${appVersion}`, text] as const),
    ['Mapping', mapping === '[]' ? '' : mapping],
  ]);
}

function changedBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Changed[] {
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((title) => ({ title, before: before.get(title) ?? '', after: after.get(title) ?? '' }))
    .filter((part) => part.before !== part.after);
}
