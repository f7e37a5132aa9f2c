/** Effects, intervals and values of metrics for people. Pure. */
import type { Comparison } from '../schemas/experiment-results.js';
import type { MetricKind } from '../schemas/metric.js';

const percent = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const share = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const amount = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

/**
 * Such as `+5.2 %`; with a minus sign, not a hyphen.
 * @param effect relative: 0.05 is 5 %; null: not known
 */
export function formatEffect(effect: number | null): string {
  if (effect === null) return '–';
  const text = percent.format(Math.abs(effect) * 100);
  if (text === '0') return '0 %';
  return `${effect < 0 ? '−' : '+'}${text} %`;
}

/** Such as `−1.1 % to +9.4 %`; an end that is not known is open. */
export function formatInterval([low, high]: Comparison['interval']): string {
  if (low === null && high === null) return 'not known yet';
  if (low === null) return `up to ${formatEffect(high)}`;
  if (high === null) return `${formatEffect(low)} or more`;
  return `${formatEffect(low)} to ${formatEffect(high)}`;
}

/** Such as `49.5 %`. @param part of 1 */
export function formatPart(part: number | null): string {
  return part === null || !Number.isFinite(part) ? '–' : `${share.format(part * 100)} %`;
}

/** The mean of a metric per player, in its own unit. */
export function formatMean(kind: MetricKind, mean: number | null): string {
  if (mean === null) return '–';
  return kind === 'conversion' || kind === 'retention' ? formatPart(mean) : amount.format(mean);
}

/** What a mean is of, for the head of a column or a tooltip. */
export const meanWords: Readonly<Record<MetricKind, string>> = {
  count: 'events per player',
  sum: 'sum per player',
  conversion: 'of the players',
  ratio: 'ratio',
  retention: 'of the players came back',
};

export function formatWhole(count: number | null): string {
  return count === null ? '–' : count.toLocaleString('en');
}

/** Such as `p = 0.42`; very small ones as a bound. */
export function formatPValue(pValue: number): string {
  if (pValue < 0.0001) return 'p < 0.0001';
  return `p = ${pValue.toLocaleString('en', { maximumSignificantDigits: 2 })}`;
}
