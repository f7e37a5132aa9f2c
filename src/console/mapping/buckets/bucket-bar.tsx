/** The strip of buckets with boundaries that are dragged, or moved by keys. */
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import {
  type Boundary,
  type BucketRange,
  boundariesOf,
  bucketCount,
  moveBoundary,
} from './bucket-ranges.js';
import { BucketAxis, BucketStrip } from './bucket-strip.js';
import styles from './buckets.module.css';

export interface BucketBarProps {
  readonly names: readonly string[];
  /** One for each variant; none overlaps another. */
  readonly ranges: readonly BucketRange[];
  /** The ranges while a boundary is dragged; null: the drag ended. */
  readonly onPreview: (ranges: readonly BucketRange[] | null) => void;
  readonly onChange: (ranges: readonly BucketRange[]) => void;
  readonly readOnly: boolean;
}

interface Drag {
  readonly boundary: Boundary;
  readonly ranges: readonly BucketRange[];
}

const stepOf: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -bucketCount,
  End: bucketCount,
};

export function BucketBar({ names, ranges, onPreview, onChange, readOnly }: BucketBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const shown = drag?.ranges ?? ranges;
  // Boundaries as they were before the drag: one that meets another must not disappear while it is held.
  const boundaries = readOnly ? [] : boundariesOf(ranges);

  const bucketAt = (clientX: number): number => {
    const box = bar.current?.getBoundingClientRect();
    return box === undefined ? 0 : ((clientX - box.left) / box.width) * bucketCount;
  };
  const begin = (event: PointerEvent<HTMLDivElement>, boundary: Boundary): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    setDrag({ boundary, ranges });
  };
  const move = (event: PointerEvent<HTMLDivElement>): void => {
    if (drag === null) return;
    const moved = moveBoundary(ranges, drag.boundary, bucketAt(event.clientX));
    setDrag({ ...drag, ranges: moved });
    onPreview(moved);
  };
  const end = (isKept: boolean): void => {
    if (drag === null) return;
    setDrag(null);
    onPreview(null);
    if (isKept) onChange(drag.ranges);
  };
  const press = (event: KeyboardEvent<HTMLDivElement>, boundary: Boundary): void => {
    if (event.key === 'Escape' && drag !== null) {
      end(false);
      return;
    }
    const step = stepOf[event.key];
    if (step === undefined || drag !== null) return;
    event.preventDefault();
    const wanted = boundary.at + step * (event.shiftKey && Math.abs(step) === 1 ? 10 : 1);
    onChange(moveBoundary(ranges, boundary, wanted));
    const at = Math.min(boundary.max, Math.max(boundary.min, wanted));
    // Two boundaries that met have become one: the focus goes to it.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      bar.current?.querySelector<HTMLElement>(`[aria-valuenow="${at}"]`)?.focus();
    });
  };

  return (
    <div className={styles['inset']}>
      <div ref={bar} className={styles['bar']}>
        <BucketStrip
          variants={names.map((name, index) => ({ name, groups: shown[index] ?? null }))}
          height={48}
        />
        {boundaries.map((boundary) => {
          const isDragged = drag?.boundary.at === boundary.at;
          const at = isDragged ? positionOf(boundary, drag.ranges) : boundary.at;
          return (
            <div
              key={boundary.left === null ? `start-${boundary.right}` : `end-${boundary.left}`}
              className={styles['handle']}
              style={{ left: `${at / 10}%` }}
              data-dragged={isDragged}
              role="slider"
              tabIndex={0}
              aria-label={labelOf(boundary, names)}
              aria-valuemin={boundary.min}
              aria-valuemax={boundary.max}
              aria-valuenow={at}
              aria-valuetext={describeBoundary(boundary, at, names)}
              onPointerDown={(event) => begin(event, boundary)}
              onPointerMove={move}
              onPointerUp={() => end(true)}
              onPointerCancel={() => end(false)}
              onKeyDown={(event) => press(event, boundary)}
            />
          );
        })}
      </div>
      <BucketAxis />
    </div>
  );
}

function positionOf({ left, right, at }: Boundary, ranges: readonly BucketRange[]): number {
  const range = right === null ? undefined : ranges[right];
  if (range !== undefined) return range[0];
  const before = left === null ? undefined : ranges[left];
  return before === undefined ? at : before[1] + 1;
}

function labelOf({ left, right }: Boundary, names: readonly string[]): string {
  if (left !== null && right !== null) return `Boundary of ${names[left]} and ${names[right]}`;
  return left === null ? `Start of ${names[right ?? 0]}` : `End of ${names[left]}`;
}

function describeBoundary({ left, right }: Boundary, at: number, names: readonly string[]): string {
  const parts = [
    left === null ? null : `${names[left]} ends at ${at - 1}`,
    right === null ? null : `${names[right]} begins at ${at}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
