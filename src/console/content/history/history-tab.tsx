/** The revisions of a content item: who saved them and why, comparing two of them, and rolling back to one. */
import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { RevisionSummary } from '../../../contract/operations/history/content-history.js';
import { useDraft } from '../../draft/draft-context.js';
import { IconHistory } from '../../icons/icons.js';
import { EmptyState } from '../../parts/empty-state.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { Waiting } from '../../parts/waiting.js';
import { useHistory } from './history-query.js';
import { HistoryTable } from './history-table.js';
import { RevisionDiff } from './revision-diff.js';
import { RollbackDialog } from './rollback-dialog.js';
import { ViewDialog } from './view-dialog.js';

export function HistoryTab() {
  const { saved } = useDraft();
  const { env, id, newest } = saved;
  const history = useHistory(env, id);
  const [params] = useSearchParams();
  const [pair, setPair] = useState(() => pairOf(params));
  const [viewed, setViewed] = useState<number | null>(null);
  const [target, setTarget] = useState<RevisionSummary | null>(null);
  if (newest === 0) {
    return (
      <EmptyState icon={<IconHistory />} title="No history yet">
        Each save becomes a numbered revision that is listed here and never changes.
      </EmptyState>
    );
  }
  if (history.error !== null && history.data === undefined) {
    return <ProblemAlert error={history.error} onRetry={() => void history.refetch()} />;
  }
  if (history.data === undefined) {
    return <Waiting label="Loading the history" height={240} />;
  }
  const rows = history.data.pages.flat();
  const to = pair?.to ?? newest;
  const isDraft = saved.live !== null && saved.live < newest;
  const before = rows.find(({ revision }) => revision < newest)?.revision ?? 0;
  const from = pair?.from ?? (isDraft ? (saved.live ?? 0) : before);
  return (
    <Stack>
      <HistoryTable
        rows={rows}
        from={from}
        to={to}
        onPair={(next) => setPair({ from, to, ...next })}
        onView={setViewed}
        onGoBack={setTarget}
      />
      {history.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          style={{ alignSelf: 'center' }}
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          Show older revisions
        </Button>
      )}
      <section>
        <Title order={2} size="h4" mb="xs">
          {from === to || from === 0 ? `Revision ${to}` : `From r${from} to r${to}`}
        </Title>
        {from === 0 ? (
          <Text size="sm" c="dimmed">
            This is the only revision. “View” shows it.
          </Text>
        ) : from === to ? (
          <Text size="sm" c="dimmed">
            Choose two revisions in the table to see what differs.
          </Text>
        ) : (
          <RevisionDiff env={env} id={id} from={from} to={to} />
        )}
      </section>
      {viewed !== null && (
        <ViewDialog env={env} id={id} number={viewed} onClose={() => setViewed(null)} />
      )}
      {target !== null && <RollbackDialog target={target} onClose={() => setTarget(null)} />}
    </Stack>
  );
}

/** Two revisions that a link asks to compare. */
function pairOf(params: URLSearchParams): { readonly from: number; readonly to: number } | null {
  const [from, to] = [params.get('from'), params.get('to')].map(Number);
  if (from === undefined || to === undefined) return null;
  return Number.isInteger(from) && Number.isInteger(to) && from > 0 && to > 0 ? { from, to } : null;
}
