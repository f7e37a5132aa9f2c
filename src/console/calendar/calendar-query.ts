/** Reads what is due in an environment within a range of time. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { request } from '../api/call.js';
import type { Scale } from './time-scale.js';

/** Releases step on by themselves. */
const refetchMs = 30_000;

export function useCalendar(env: string, { fromMs, untilMs }: Scale) {
  const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString());
  return useQuery({
    queryKey: ['environments', env, 'calendar', from, until],
    queryFn: ({ signal }) =>
      request(
        'GET /environments/:env/calendar',
        { params: { env }, query: { from, until } },
        signal,
      ),
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });
}
