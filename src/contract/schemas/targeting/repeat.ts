/** When a rule that repeats is open within its window. */
import { z } from 'zod';
import { repeatPlusDaysMax, repeatWeeksMax } from '../../../content/mapping/mapping-limits.js';
import { weekdays } from '../../../content/mapping/window.js';

const timeOfDaySchema = z.string().describe('HH:MM');

/** As a response has it: what the mapping leaves out is there with its default. */
export const repeatSchema = z
  .object({
    days: z.array(z.enum(weekdays)).readonly().describe('The days on which an occurrence starts.'),
    from: timeOfDaySchema,
    until: timeOfDaySchema,
    plusDays: z
      .int()
      .min(0)
      .max(repeatPlusDaysMax)
      .describe('The end is so many days after the day of the start.'),
    everyWeeks: z
      .int()
      .min(1)
      .max(repeatWeeksMax)
      .describe('1: each week; else counted from the week of `from` of the window.'),
  })
  .register(z.globalRegistry, { id: 'Repeat' });
