/** The thousand groups as a strip: each variant a coloured part with its name and share, the rest hatched. */

import { variantColour } from '../rules/variant-colours.js';
import { shareText, sizeOf } from './group-ranges.js';
import styles from './groups.module.css';

export interface StripVariant {
  readonly name: string;
  readonly groups: readonly [number, number] | null;
}

export interface GroupsStripProps {
  readonly variants: readonly StripVariant[];
  readonly height: number;
  /** Says what is seen to people who do not see it; left out where something beside it says the same. */
  readonly label?: string;
}

// Narrower parts have no room for words; the list beside the strip names them.
const groupsOfWords = 70;

export function GroupsStrip({ variants, height, label }: GroupsStripProps) {
  const hasWords = height >= 24;
  const labels =
    label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <div className={styles['strip']} style={{ height }} {...labels}>
      {variants.map(({ name, groups }, index) => {
        if (groups === null) return null;
        const { fill, ink } = variantColour(index);
        const size = sizeOf(groups);
        const hasRoom = hasWords && size >= groupsOfWords;
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a variant is its place in the rule; names may repeat.
            key={index}
            className={styles['part']}
            data-bare={!hasRoom}
            title={`${name}: groups ${groups[0]} to ${groups[1]}, ${shareText(size)}`}
            style={{
              left: `${groups[0] / 10}%`,
              width: `${size / 10}%`,
              background: fill,
              color: ink,
            }}
          >
            {hasRoom && <span className={styles['partName']}>{name}</span>}
            {hasRoom && height >= 40 && <span>{shareText(size)}</span>}
          </div>
        );
      })}
    </div>
  );
}

const ticks = [0, 250, 500, 750, 1000] as const;

/** Numbers of groups below a strip. */
export function GroupsAxis() {
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

/** In words: `control 50.0 %, more 50.0 %`. */
export function stripWords(variants: readonly StripVariant[]): string {
  const parts = variants.map(({ name, groups }) =>
    groups === null ? `${name}: no groups` : `${name} ${shareText(sizeOf(groups))}`,
  );
  return parts.join(', ');
}
