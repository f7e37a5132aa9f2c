/** The screen of a content item that does not exist, and can be created, or was deleted, and can be restored. */
import { Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { ApiProblem } from '../api/call.js';
import { useAskedRestore } from '../contents/edit/use-asked-restore.js';
import { contentKeyOf, fetchRevisions } from '../draft/content-query.js';
import { IconFileOff, IconTrash } from '../icons/icons.js';
import { EmptyState } from '../parts/empty-state.js';
import { pathOf, useEnvironment } from '../parts/environments.js';
import { Page } from '../parts/page.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { When } from '../parts/time/when.js';
import { Waiting } from '../parts/waiting.js';
import { usePublishReason } from '../session/edit-rights.js';
import { CopyHere } from './copy-here.js';

export interface MissingContentProps {
  readonly env: string;
  readonly id: string;
  readonly readOnlyReason: string | null;
}

export function MissingContent({ env, id, readOnlyReason }: MissingContentProps) {
  const [, go] = useLocation();
  const history = useQuery({
    queryKey: [...contentKeyOf(env, id), 'revisions', 'last'],
    queryFn: () => fetchRevisions(env, id, { limit: 1 }),
  });
  const { restore, pending, dialog } = useAskedRestore(env);
  const place = useEnvironment(env)?.name ?? env;
  const publishReason = usePublishReason(env);
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
  const actions = (
    <Group justify="center">
      <Button component={Link} href={pathOf.contents(env)} variant="default">
        All content
      </Button>
      {readOnlyReason === null && (
        <Button
          variant={last === undefined ? 'filled' : 'default'}
          onClick={() => go(`${pathOf.content(env, id)}?new`)}
        >
          {last === undefined ? `Create ${id}` : 'Start again'}
        </Button>
      )}
      {publishReason === null && last !== undefined && (
        <Button onClick={() => restore(id)} loading={pending !== null}>
          Restore
        </Button>
      )}
    </Group>
  );
  return (
    <Page title={id}>
      {last === undefined ? (
        <EmptyState
          icon={<IconFileOff />}
          title={`${place} has no content item ${id}`}
          action={actions}
        >
          {readOnlyReason ?? 'Check the spelling, or create it.'}
        </EmptyState>
      ) : (
        <EmptyState icon={<IconTrash />} title={`${id} was deleted`} action={actions}>
          Its history is kept. The last save was revision {last.revision} by {last.author},{' '}
          <When at={last.createdAt} span inherit />. Restoring it makes live again what was live.
        </EmptyState>
      )}
      <CopyHere env={env} id={id} />
      {dialog}
    </Page>
  );
}
