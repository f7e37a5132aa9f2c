/** A time: how long ago, with the exact time as a tooltip. */
import { Text, type TextProps } from '@mantine/core';
import { exactTime } from './formats.js';
import { timeAgo } from './time-ago.js';

export interface WhenProps extends TextProps {
  /** RFC 3339; null: never. */
  readonly at: string | null;
}

export function When({ at, ...text }: WhenProps) {
  if (at === null) return <Text {...text}>never</Text>;
  return (
    <Text {...text} component="time" dateTime={at} title={exactTime(at)}>
      {timeAgo(at, Date.now())}
    </Text>
  );
}
