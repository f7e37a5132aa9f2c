/** Reminds of edits that lay unsaved since an earlier day, before they are published along with the others. */
import { Alert, List } from '@mantine/core';
import { useMemo } from 'react';
import { useDraft } from '../../draft/draft-context.js';
import { isOld, type OldEdit, oldEdits } from '../../draft/old-edits.js';
import { lineOfPart, titleOfPart } from '../../draft/state-parts.js';
import { IconHistory } from '../../icons/icons.js';
import { counted } from '../../parts/counted.js';
import { timeAgo } from '../../parts/time/time-ago.js';
import styles from '../content.module.css';

const placesShown = 5;

export function OldEditsNotice() {
  const { saved, state, earlier } = useDraft();
  const edits = useMemo(
    () =>
      earlier !== null && isOld(earlier, Date.now()) ? oldEdits(saved, earlier.state, state) : [],
    [saved, state, earlier],
  );
  if (earlier === null || edits.length === 0) return null;
  const title = `Of which ${counted(edits.length, 'edit')} from ${timeAgo(new Date(earlier.at).toISOString(), Date.now())}`;
  return (
    <Alert
      color="orange"
      variant="light"
      p="xs"
      icon={<IconHistory aria-hidden />}
      title={title}
      classNames={{ title: styles['alertTitle'] ?? '' }}
      role="status"
    >
      <List size="sm" aria-label={title}>
        {edits.slice(0, placesShown).map((edit) => (
          <List.Item key={`${edit.part} ${edit.pointer}`} style={{ overflowWrap: 'anywhere' }}>
            <Place edit={edit} isOnlyLine={saved.lines.length === 1} />
          </List.Item>
        ))}
        {edits.length > placesShown && <List.Item>and {edits.length - placesShown} more</List.Item>}
      </List>
    </Alert>
  );
}

interface PlaceProps {
  readonly edit: OldEdit;
  readonly isOnlyLine: boolean;
}

function Place({ edit: { part, pointer }, isOnlyLine }: PlaceProps) {
  const place = pointer !== null && pointer !== '' && <span className="mono">{pointer}</span>;
  if (place && isOnlyLine && lineOfPart(part) !== null) return place;
  return (
    <>
      {titleOfPart(part)} {place}
    </>
  );
}
