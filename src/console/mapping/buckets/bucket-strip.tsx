/** The thousand buckets as a strip: each variant a coloured part with its name and share, the rest hatched. */
import { variantColour } from '../rules/variant-colours.js';
import { formatShare, sizeOf } from './bucket-ranges.js';
import styles from './buckets.module.css';

export interface StripVariant {
  readonly name: string;
  readonly groups: readonly [number, number] | null;
}

export interface BucketStripProps {
  readonly variants: readonly StripVariant[];
  readonly height: number;
  /** For screen readers; left out where something beside it says the same. */
  readonly label?: string;
}

// Narrower parts have no room for text; the list beside the strip names them.
const bucketsOfText = 70;

export function BucketStrip({ variants, height, label }: BucketStripProps) {
  const hasText = height >= 24;
  const labels =
    label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <div className={styles['strip']} style={{ height }} {...labels}>
      {variants.map(({ name, groups }, index) => {
        if (groups === null) return null;
        const { fill, ink } = variantColour(index);
        const size = sizeOf(groups);
        const hasRoom = hasText && size >= bucketsOfText;
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a variant is its place in the rule; names may repeat.
            key={index}
            className={styles['part']}
            data-bare={!hasRoom}
            title={`${name}: buckets ${groups[0]} to ${groups[1]}, ${formatShare(size)}`}
            style={{
              left: `${groups[0] / 10}%`,
              width: `${size / 10}%`,
              background: fill,
              color: ink,
            }}
          >
            {hasRoom && <span className={styles['partName']}>{name}</span>}
            {hasRoom && height >= 40 && <span>{formatShare(size)}</span>}
          </div>
        );
      })}
    </div>
  );
}

const ticks = [0, 250, 500, 750, 1000] as const;

/** Numbers of buckets below a strip. */
export function BucketAxis() {
  return (
    <div className={styles['axis']} aria-hidden>
      {ticks.map((tick) => (
        <span key={tick} className={styles['tick']} style={{ left: `${tick / 10}%` }}>
          {Math.min(tick, 999)}
        </span>
      ))}
    </div>
  );
}

/** For screen readers: `control 50.0 %, more 50.0 %`. */
export function describeVariants(variants: readonly StripVariant[]): string {
  const parts = variants.map(({ name, groups }) =>
    groups === null ? `${name}: no buckets` : `${name} ${formatShare(sizeOf(groups))}`,
  );
  return parts.join(', ');
}
