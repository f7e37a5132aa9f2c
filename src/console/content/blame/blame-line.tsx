/** Below the text: the path of the value at the cursor, and who set it last, when and why. */
import { Anchor, Button, Group, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { ValueChange } from '../../../contract/operations/history/blame.js';
import { useDraft } from '../../draft/draft-context.js';
import { IconHistory } from '../../icons/icons.js';
import { pathOf } from '../../parts/environments.js';
import { When } from '../../parts/time/when.js';
import { useBlame, type ValuePlace } from './blame-query.js';
import { ValueHistoryDialog } from './value-history-dialog.js';
import { valueSource } from './value-place.js';

export interface BlameLineProps {
  readonly appVersion: string;
  /** JSON pointer of the value at the cursor. */
  readonly path: string;
  /** Shows the path. */
  readonly children: ReactNode;
}

export function BlameLine({ appVersion, path, children }: BlameLineProps) {
  const { saved, state } = useDraft();
  const { env, id, newest } = saved;
  const place: ValuePlace = { env, id, newest, appVersion, path };
  const blame = useBlame(place);
  const [isOpen, setIsOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is its members.
  const isTyped = useMemo(
    () => sourceIn(saved.lines, place) !== sourceIn(state.lines, place),
    [saved.lines, state.lines, appVersion, path],
  );
  const [last] = blame.data?.changes ?? [];
  return (
    <Group gap="xs" mih={30} role="group" aria-label="The value at the cursor">
      {children}
      {isTyped && (
        <Text size="sm" c="dimmed">
          changed here, not saved
        </Text>
      )}
      {last !== undefined && <LastSet env={env} change={last} isOldest={isOldest(blame.data)} />}
      {blame.data !== undefined && last === undefined && (
        <Text size="sm" c="dimmed">
          {blame.data.next === null ? 'not saved yet' : 'not set in the newest revisions'}
        </Text>
      )}
      {newest > 0 && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconHistory size={14} aria-hidden />}
          onClick={() => setIsOpen(true)}
        >
          History of this value
        </Button>
      )}
      {isOpen && <ValueHistoryDialog place={place} onClose={() => setIsOpen(false)} />}
    </Group>
  );
}

function isOldest(blame: { readonly isOldest: boolean } | undefined): boolean {
  return blame?.isOldest === true;
}

function sourceIn(
  lines: readonly { readonly appVersion: string; readonly text: string }[],
  { appVersion, path }: ValuePlace,
): string | null {
  const text = lines.find((line) => line.appVersion === appVersion)?.text;
  return text === undefined ? null : valueSource(text, path);
}

interface LastSetProps {
  readonly env: string;
  readonly change: ValueChange;
  readonly isOldest: boolean;
}

function LastSet({ env, change, isOldest: isOld }: LastSetProps) {
  const { author, at, revision, note, releases, after } = change;
  const [release] = releases;
  return (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {after === null ? 'last removed by ' : isOld ? 'set before or by ' : 'last set by '}
      {author}, <When at={at} span inherit />, r{revision}
      {note !== '' && `: “${note}”`}
      {release !== undefined && (
        <>
          {', '}
          <Anchor component={Link} href={pathOf.release(env, release.release)} underline="always">
            release #{release.release}
          </Anchor>
        </>
      )}
    </Text>
  );
}
