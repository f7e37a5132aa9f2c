/** Numbers of the health screen as people read them, with their units. */

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const twoDigits = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

export type NumberFormat = (value: number) => string;

export const formatCount: NumberFormat = (value) => whole.format(value);

/** About three digits, whatever the size. */
export const formatNumber: NumberFormat = (value) => {
  const size = Math.abs(value);
  if (size >= 100) return whole.format(value);
  return size >= 10 ? oneDigit.format(value) : twoDigits.format(value);
};

export const formatRate: NumberFormat = (value) => `${formatNumber(value)}/s`;

/** Of seconds. */
export const formatDuration: NumberFormat = (seconds) =>
  seconds >= 1 ? `${formatNumber(seconds)} s` : `${formatNumber(seconds * 1000)} ms`;

/** Of a share from 0 to 1. */
export const formatPercent: NumberFormat = (share) => `${oneDigit.format(share * 100)} %`;

/** How long something has been running: its two largest units. */
export const formatUptime: NumberFormat = (seconds) => {
  const minutes = Math.floor(seconds / 60);
  const [hours, days] = [Math.floor(minutes / 60), Math.floor(minutes / 1440)];
  if (days > 0) return `${days} d ${hours % 24} h`;
  if (hours > 0) return `${hours} h ${minutes % 60} min`;
  return minutes > 0 ? `${minutes} min` : `${Math.max(0, Math.floor(seconds))} s`;
};
