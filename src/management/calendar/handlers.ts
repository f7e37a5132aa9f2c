/** The calendar of an environment: shown. */
import { getCalendar } from '../../contract/operations/calendar.js';
import { Problem } from '../../contract/problems.js';
import { type Handler, handle } from '../http/handlers.js';
import { environmentUnknown } from '../store/edit-environment.js';
import { rangeOf } from './calendar-range.js';

export const calendarHandlers: readonly Handler[] = [
  handle(getCalendar, async ({ params: { env }, query, context }) => {
    const range = rangeOf(query, context.now());
    if (range instanceof Problem) return range;
    return (await context.calendar.show(env, range)) ?? environmentUnknown(env);
  }),
];
