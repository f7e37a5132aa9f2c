/** Two texts beside each other (one above the other where it is narrow), with what differs marked. */
import { Box, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useElementSize, useMediaQuery } from '@mantine/hooks';
import { type CSSProperties, useId, useLayoutEffect, useRef, useState } from 'react';
import colours from './code.module.css';
import { type DiffForm, showDiff } from './diff-editor.js';
import { useDiffOptions } from './diff-options.js';
import styles from './diff-view.module.css';

export interface DiffViewProps {
  readonly before: string;
  readonly after: string;
  readonly beforeLabel: string;
  readonly afterLabel: string;
  /** Tallest it may get, in rows; beyond, it scrolls. */
  readonly maxRows?: number;
}

/** Narrower, there is no room for two beside each other, whatever a person prefers. */
const widthOfTwo = 700;
const windowOfTwo = '(min-width: 80em)';
const rowsDefault = 28;
const anyBreak = /\r\n?/g;

export function DiffView(props: DiffViewProps) {
  const { before, after, beforeLabel, afterLabel } = props;
  const { ref, width } = useElementSize();
  const helpId = useId();
  const [isWhole, setIsWhole] = useState(false);
  const [options, setOptions] = useDiffOptions();
  const isWide = useMediaQuery(windowOfTwo, true, { getInitialValueInEffect: false });
  if (before === after) {
    return <NoDifference>No difference: both are the same, byte for byte.</NoDifference>;
  }
  if (before.replace(anyBreak, '\n') === after.replace(anyBreak, '\n')) {
    return <NoDifference>They differ in their line breaks only.</NoDifference>;
  }
  const hasRoom = width >= widthOfTwo;
  const isUnified = !hasRoom || (options.isUnified ?? !isWide);
  const { isWrapped } = options;
  const form: DiffForm = { isUnified, isWrapped, isWhole };
  return (
    <Box
      ref={ref}
      className={colours['colours']}
      component="section"
      aria-label="Differences"
      aria-describedby={helpId}
    >
      <div className={styles['labels']} data-unified={form.isUnified} aria-hidden>
        <div className={styles['label']}>
          <span className={styles['sign']}>−</span>
          {beforeLabel}
        </div>
        <div className={styles['label']}>
          <span className={styles['sign']}>+</span>
          {afterLabel}
        </div>
      </div>
      <VisuallyHidden id={helpId}>
        The keys n and p go to the next and the previous difference.
      </VisuallyHidden>
      {width > 0 && <Shown {...props} form={form} />}
      <Group gap="xs" mt={4}>
        <Button size="compact-xs" variant="subtle" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show only what differs' : 'Show the whole text'}
        </Button>
        {hasRoom && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => setOptions({ ...options, isUnified: !isUnified })}
          >
            {isUnified ? 'Show side by side' : 'Show as one text'}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => setOptions({ ...options, isWrapped: !isWrapped })}
        >
          {isWrapped ? 'Do not wrap long lines' : 'Wrap long lines'}
        </Button>
      </Group>
    </Box>
  );
}

function NoDifference({ children }: { readonly children: string }) {
  return (
    <Text c="dimmed" size="sm" role="status">
      {children}
    </Text>
  );
}

function Shown(props: DiffViewProps & { readonly form: DiffForm }) {
  const { before, after, beforeLabel, afterLabel, form, maxRows = rowsDefault } = props;
  const { isUnified, isWrapped, isWhole } = form;
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (host.current === null) return;
    return showDiff(
      host.current,
      { before, after, beforeLabel, afterLabel },
      { isUnified, isWrapped, isWhole },
    );
  }, [before, after, beforeLabel, afterLabel, isUnified, isWrapped, isWhole]);
  return (
    <div ref={host} className={styles['box']} style={{ '--rows-max': maxRows } as CSSProperties} />
  );
}
