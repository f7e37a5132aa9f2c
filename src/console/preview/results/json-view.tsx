/** Read-only JSON with marks beside the lines. Only visible lines are rendered, so a megabyte scrolls. */
import { Box, Group, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { JsonLine } from './json-marks.js';
import styles from './json-view.module.css';

export interface JsonViewProps {
  readonly lines: readonly JsonLine[];
  readonly label: string;
  /** What the marks of each comparison mean, in the order of the lines' marks. */
  readonly legend: readonly Meaning[];
}

export interface Meaning {
  readonly kind: 'rules' | 'live';
  readonly label: string;
}

const linePx = 20;
const heightPxMax = 440;
const lineCharsMax = 2_000;
const signs: Readonly<Record<Meaning['kind'], string>> = { rules: '◆', live: '≠' };

export function JsonView({ lines, label, legend }: JsonViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => linePx,
    overscan: 20,
  });
  const items = rows.getVirtualItems();
  const top = items[0]?.start ?? 0;
  const bottom = rows.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <Box miw={0}>
      {legend.length > 0 && (
        <Group gap="md" mb={6}>
          {legend.map(({ kind, label: meaning }) => (
            <Group gap={6} key={kind} wrap="nowrap">
              <span className={styles['sign']} data-kind={kind} aria-hidden>
                {signs[kind]}
              </span>
              <Text size="xs">{meaning}</Text>
            </Group>
          ))}
        </Group>
      )}
      {/* biome-ignore-start lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard. */}
      <section
        ref={box}
        className={styles['box']}
        style={{ maxHeight: heightPxMax }}
        tabIndex={0}
        aria-label={label}
      >
        {/* biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above. */}
        <div style={{ height: top }} />
        {items.map(({ index, key }) => {
          const line = lines[index];
          return line === undefined ? null : (
            <div key={key} className={styles['line']} data-marked={markedBy(line, legend)}>
              {legend.map(({ kind, label: meaning }, place) => (
                <span
                  key={kind}
                  className={styles['sign']}
                  data-kind={kind}
                  title={line.marks[place] ? meaning : undefined}
                >
                  {line.marks[place] ? signs[kind] : ' '}
                </span>
              ))}
              <code>{cut(line.text)}</code>
            </div>
          );
        })}
        <div style={{ height: bottom }} />
      </section>
    </Box>
  );
}

function markedBy({ marks }: JsonLine, legend: readonly Meaning[]): string | undefined {
  return legend[marks.findIndex((mark) => mark !== null)]?.kind;
}

function cut(text: string): string {
  return text.length > lineCharsMax ? `${text.slice(0, lineCharsMax)}…` : text;
}
