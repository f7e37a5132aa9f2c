/** The history of one value: who set it to what, when and why; and putting an old one back into the editor. */
import { Alert, Anchor, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { ValueChange } from '../../../contract/operations/history/blame.js';
import { useDraft } from '../../draft/draft-context.js';
import { LazyDiffView } from '../../parts/code/lazy.js';
import { type Column, DataTable } from '../../parts/data/data-table.js';
import { Dialog } from '../../parts/dialog.js';
import { pathOf } from '../../parts/environments.js';
import { notifyDone } from '../../parts/notify.js';
import { ProblemAlert } from '../../parts/problem-alert.js';
import { When } from '../../parts/time/when.js';
import { Waiting } from '../../parts/waiting.js';
import { useLineText, useValueHistory, type ValuePlace } from './blame-query.js';
import { valueSource, withValue } from './value-place.js';

export interface ValueHistoryDialogProps {
  readonly place: ValuePlace;
  readonly onClose: () => void;
}

export function ValueHistoryDialog({ place, onClose }: ValueHistoryDialogProps) {
  const { mayEdit } = useDraft();
  const history = useValueHistory(place);
  const [chosen, setChosen] = useState<ValueChange | null>(null);
  const pages = history.data?.pages ?? [];
  const rows = pages.flatMap(({ changes }) => changes);
  return (
    <Dialog
      title={`History of ${place.path === '' ? 'the whole text' : place.path}`}
      size="xl"
      onClose={onClose}
    >
      <Stack>
        {history.error !== null && (
          <ProblemAlert error={history.error} onRetry={() => void history.refetch()} />
        )}
        {history.data === undefined && history.error === null && (
          <Waiting label="Loading the history of the value" height={120} />
        )}
        {history.data !== undefined && rows.length === 0 && (
          <Text size="sm">No revision has this value: it is only in your edits.</Text>
        )}
        {rows.length > 0 && (
          <DataTable
            aria-label="Changes of the value, newest first"
            columns={columnsOf(place, mayEdit ? setChosen : null)}
            rows={rows}
            keyOf={({ revision }) => String(revision)}
            older={history}
          />
        )}
        {pages.at(-1)?.isOldest === true && (
          <Text size="sm" c="dimmed">
            Older revisions were removed: the first value may be older than its revision.
          </Text>
        )}
        {chosen !== null && <Restore place={place} change={chosen} onClose={onClose} />}
      </Stack>
    </Dialog>
  );
}

function columnsOf(
  { env, id }: ValuePlace,
  onChoose: ((change: ValueChange) => void) | null,
): Column<ValueChange>[] {
  return [
    {
      title: 'Value',
      isHeader: true,
      cell: ({ before, after }) => (
        <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
          {after === null ? <i>removed</i> : shortened(after, 120)}
          {before !== null && (
            <Text span size="xs" c="dimmed">
              {' '}
              before {shortened(before, 60)}
            </Text>
          )}
        </Text>
      ),
    },
    {
      title: 'Set by',
      w: '35%',
      cell: ({ author, at, note, releases, synced }) => (
        <>
          <Text size="sm">
            {author}, <When at={at} span inherit />
          </Text>
          <Text size="sm" c="dimmed">
            {[note, synced === null ? '' : `from ${synced.from}`].filter(Boolean).join(' · ')}
          </Text>
          {releases.map(({ release, title }) => (
            <Anchor
              key={release}
              component={Link}
              href={pathOf.release(env, release)}
              size="sm"
              underline="always"
              mr="xs"
            >
              #{release} {title}
            </Anchor>
          ))}
        </>
      ),
    },
    {
      title: 'Revision',
      visibleFrom: 'sm',
      cell: ({ revision, liveAt }) => (
        <Group gap={6}>
          {revision === 1 ? (
            <Text size="sm">r1</Text>
          ) : (
            <Anchor
              component={Link}
              href={pathOf.diff(env, id, revision - 1, revision)}
              size="sm"
              underline="always"
            >
              r{revision}
            </Anchor>
          )}
          {liveAt === null && <Badge variant="default">never live</Badge>}
        </Group>
      ),
    },
    ...(onChoose === null
      ? []
      : [
          {
            title: 'Restore',
            isTitleHidden: true,
            ta: 'right' as const,
            cell: (change: ValueChange) => (
              <Button
                variant="default"
                size="compact-sm"
                onClick={() => onChoose(change)}
                aria-label={`Restore the value of revision ${change.revision}`}
              >
                Restore…
              </Button>
            ),
          },
        ]),
  ];
}

/** A long value is seen whole in the difference. */
function shortened(value: string, charsMax: number): string {
  return value.length <= charsMax ? value : `${value.slice(0, charsMax - 1)}…`;
}

interface RestoreProps {
  readonly place: ValuePlace;
  readonly change: ValueChange;
  readonly onClose: () => void;
}

/** Shows what the text becomes. It stays an edit that is not saved. */
function Restore({ place, change, onClose }: RestoreProps) {
  const { state, changeText } = useDraft();
  const { appVersion, path } = place;
  const old = useLineText(place, change.revision);
  const present = state.lines.find((line) => line.appVersion === appVersion)?.text ?? null;
  if (old.error !== null)
    return <ProblemAlert error={old.error} onRetry={() => void old.refetch()} />;
  if (old.data === undefined) return <Waiting label="Loading the old value" height={120} />;
  const source = old.data === null ? null : valueSource(old.data, path);
  const restored = present === null ? null : withValue(present, path, source);
  if (present === null || restored === null) {
    return (
      <Alert color="yellow" variant="light" role="status">
        The text has no place for this value any more: what it belonged to is gone. Open the history
        of the object or list around it.
      </Alert>
    );
  }
  if (restored === present) {
    return (
      <Text size="sm" role="status">
        The text has the value of r{change.revision} already.
      </Text>
    );
  }
  const restore = (): void => {
    changeText(appVersion, restored);
    notifyDone(
      `${path === '' ? 'The text' : path} is as in r${change.revision}. Nothing is saved yet.`,
    );
    onClose();
  };
  return (
    <Stack gap="xs">
      <LazyDiffView
        before={present}
        after={restored}
        beforeLabel="Your text now"
        afterLabel={`With the value of r${change.revision}`}
        maxRows={14}
      />
      <Group justify="flex-end">
        <Text size="sm" c="dimmed">
          Only this value changes. It is not saved or published.
        </Text>
        <Button onClick={restore} data-autofocus>
          Put it into the editor
        </Button>
      </Group>
    </Stack>
  );
}
