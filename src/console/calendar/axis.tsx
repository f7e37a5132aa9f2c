/** The days or weeks above the rows. */
import { Text } from '@mantine/core';
import styles from './calendar.module.css';
import { percentOf, type Scale, ticksOf } from './time-scale.js';

export function Axis({ scale }: { readonly scale: Scale }) {
  const ticks = ticksOf(scale);
  return (
    <div className={styles['axis']} aria-hidden>
      <div className={styles['track']}>
        {ticks.map(({ atMs, label }, at) =>
          label === null ? null : (
            <Text
              key={atMs}
              component="span"
              size="xs"
              className={styles['tick'] ?? ''}
              data-sparse={scale.zoom !== 'month' && at % 2 === 1}
              style={{ left: `${percentOf(scale, atMs)}%` }}
            >
              {label}
            </Text>
          ),
        )}
      </div>
    </div>
  );
}
