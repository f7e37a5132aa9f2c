/** The text of an app version line to pick a value in: a click or Enter picks the one under the cursor. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Tokens } from '../../../content/derive/plain-value.js';
import code from '../../parts/code/code.module.css';
import { Dialog } from '../../parts/dialog.js';
import { useIsNarrow } from '../../parts/use-is-narrow.js';
import styles from './grid.module.css';
import { describePlace } from './grid-words.js';
import { type PickedPlace, type PickViewOptions, showPickView } from './pick-view.js';

export interface PickDialogProps {
  readonly appVersion: string;
  readonly text: string;
  readonly onPick: (tokens: Tokens) => void;
  readonly onClose: () => void;
}

export function PickDialog({ appVersion, text, onPick, onClose }: PickDialogProps) {
  const [at, setAt] = useState<PickedPlace | null>(null);
  const isNarrow = useIsNarrow();
  return (
    <Dialog onClose={onClose} title="Pick a value" size="xl" fullScreen={isNarrow}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Click a value, or move the cursor to it and press Enter. Ctrl+F searches.
        </Text>
        <PickText
          label={`Text of version ${appVersion}, to pick a value in`}
          text={text}
          onMove={setAt}
          onPick={onPick}
        />
        <Group justify="space-between">
          <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
            {at === null ? 'No value is under the cursor.' : <PlaceUnderCursor place={at} />}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={at === null} onClick={() => at !== null && onPick(at.tokens)}>
              Pick this value
            </Button>
          </Group>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** It is mounted after the dialog, which opens with a transition. */
function PickText({ label, text, onMove, onPick }: PickViewOptions) {
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef({ onMove, onPick });
  useEffect(() => {
    latest.current = { onMove, onPick };
  }, [onMove, onPick]);
  useEffect(() => {
    if (host.current === null) return;
    const view = showPickView(host.current, {
      ...{ text, label },
      onMove: (place) => latest.current.onMove(place),
      onPick: (tokens) => latest.current.onPick(tokens),
    });
    view.focus();
    return () => view.destroy();
  }, [text, label]);
  return <div ref={host} className={`${code['colours'] ?? ''} ${styles['picker'] ?? ''}`} />;
}

function PlaceUnderCursor({ place }: { readonly place: PickedPlace }) {
  return (
    <>
      <span className="mono">{describePlace(place.tokens)}</span> {place.words}
    </>
  );
}
