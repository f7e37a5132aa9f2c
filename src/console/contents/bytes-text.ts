/** How large something is, in words short enough for a column. */
const units = ['B', 'KB', 'MB', 'GB'] as const;
const step = 1024;

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= step && unit < units.length - 1) {
    value /= step;
    unit++;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ''}`;
}
