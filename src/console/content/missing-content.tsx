/** Where no content is: it was never there, and may be created, or it was deleted, and may be brought back. */

import { Button, Group } from '@mantine/core';
import { IconFileOff, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { ApiProblem, request } from '../api/call.js';
import { contentKeyOf, fetchRevisions } from '../draft/content-query.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf } from '../parts/environments.js';
import { notifyDone } from '../parts/notify.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { Waiting } from '../parts/waiting.js';
import { When } from '../parts/when.js';

export interface MissingContentProps {
  readonly env: string;
  readonly id: string;
  readonly readOnlyReason: string | null;
}

export function MissingContent({ env, id, readOnlyReason }: MissingContentProps) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const history = useQuery({
    queryKey: [...contentKeyOf(env, id), 'revisions', 'last'],
    queryFn: () => fetchRevisions(env, id, { limit: 1 }),
  });
  const restoring = useMutation({
    mutationFn: () =>
      request('POST /environments/:env/contents/:id/restore', { params: { env, id } }),
    onSuccess: async ({ live, sequence }) => {
      await queries.invalidateQueries({ queryKey: ['environments', env] });
      notifyDone(
        live === null
          ? `${id} is back, as a draft.`
          : `${id} is back: revision ${live} is live on all listeners, sequence ${sequence}.`,
      );
    },
  });
  const all = (
    <Button component={Link} href={pathOf.contents(env)} variant="default">
      All contents
    </Button>
  );
  const create = (
    <Button
      variant={history.data === undefined ? 'filled' : 'default'}
      onClick={() => go(`${pathOf.content(env, id)}?new`)}
    >
      {history.data === undefined ? `Create ${id}` : 'Start anew'}
    </Button>
  );
  if (history.isPending) {
    return (
      <Page title={id}>
        <Waiting label="Loading" height={320} />
      </Page>
    );
  }
  const isUnknown =
    history.error instanceof ApiProblem && history.error.code === 'content_not_found';
  if (history.error !== null && !isUnknown) {
    return (
      <Page title={id}>
        <ProblemAlert error={history.error} onRetry={() => void history.refetch()} />
      </Page>
    );
  }
  const last = history.data?.[0];
  return (
    <Page title={id}>
      {restoring.error !== null && <ProblemAlert error={restoring.error} />}
      {last === undefined ? (
        <EmptyState
          icon={<IconFileOff />}
          title={`${env} has no content ${id}`}
          action={
            <Group justify="center">
              {all}
              {readOnlyReason === null && create}
            </Group>
          }
        >
          {readOnlyReason ?? 'Check the spelling, or create it.'}
        </EmptyState>
      ) : (
        <EmptyState
          icon={<IconTrash />}
          title={`${id} was deleted`}
          action={
            <Group justify="center">
              {all}
              {readOnlyReason === null && create}
              {readOnlyReason === null && (
                <Button onClick={() => restoring.mutate()} loading={restoring.isPending}>
                  Restore
                </Button>
              )}
            </Group>
          }
        >
          Its history is kept. The last save was revision {last.revision} by {last.author},{' '}
          <When at={last.createdAt} span inherit />. Restoring makes live again what was live.
        </EmptyState>
      )}
    </Page>
  );
}
