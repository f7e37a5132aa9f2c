/** A time: how long ago, with the exact time as a tooltip. */
import { Text, type TextProps } from '@mantine/core';

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'long' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

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

export function exactTime(at: string): string {
  return exact.format(new Date(at));
}

export function timeAgo(at: string, nowMs: number): string {
  const seconds = (Date.parse(at) - nowMs) / 1000;
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return seconds > 10 ? 'in a moment' : 'just now';
}
