/** What the shapes of the calendar mean, and how a window is moved. */

import { Group, Text } from '@mantine/core';
import { browserZone } from '../parts/time/formats.js';
import styles from './calendar.module.css';

const shapes = [
  ['bar', {}, 'Open: live'],
  ['bar', { 'data-draft': true }, 'Draft, or part of a release'],
  ['ghost', {}, 'Local time: open for some player in the world'],
  ['release', {}, 'Release and its steps'],
  ['bar', { 'data-conflict': true }, 'Conflict'],
] as const;

export function Legend() {
  const zone = browserZone();
  return (
    <Group gap="md">
      {shapes.map(([shape, data, label]) => (
        <Group gap={6} key={label} wrap="nowrap">
          <span className={styles['sample']} aria-hidden>
            <span className={styles[shape]} {...data} />
          </span>
          <Text size="xs">{label}</Text>
        </Group>
      ))}
      <Text size="xs" c="dimmed">
        Days of {zone}. Bars in local time are drawn for a player there. Drag a bar to move its
        window; or focus its name and use the arrow keys (with Shift, by a week), then Enter.
      </Text>
    </Group>
  );
}
