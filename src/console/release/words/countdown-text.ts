/** The time until something happens: `in 9 min 5 s`, `in 2 h 10 min`. Pure. */
import { formatMinutes } from '../../releases/words/steps.js';

export function countdownText(at: string, nowMs: number): string {
  const seconds = Math.ceil((Date.parse(at) - nowMs) / 1_000);
  if (seconds <= 0) return 'any moment now';
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `in ${seconds} s`;
  return minutes < 60 ? `in ${minutes} min ${seconds % 60} s` : `in ${formatMinutes(minutes)}`;
}
