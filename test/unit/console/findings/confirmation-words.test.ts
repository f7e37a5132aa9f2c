/** Titles and buttons name what is confirmed: values, changes of running experiments, or both. */
import { expect, it } from 'vitest';
import {
  confirmationTitle,
  confirmLabel,
  nameConfirmed,
} from '../../../../src/console/findings/confirmation-words.js';
import type { Finding } from '../../../../src/contract/schemas/guard.js';

const value: Finding = {
  ...{ content: 'shop', appVersion: '0.0.0', path: '/price', kind: 'factor', severity: 'block' },
  message: '5 to 5,000: more than a factor of 10',
};
const change: Finding = { ...value, appVersion: '', path: '', kind: 'experiment_changed' };

it.each([
  [[value], 'Check 1 value before players get it', 'these values'],
  [[value, value], 'Check 2 values before players get them', 'these values'],
  [[change], 'This changes a running experiment', 'this experiment change'],
  [[change, change], 'This changes 2 running experiments', 'these experiment changes'],
  [
    [value, change],
    'Check 1 value and 1 change of running experiments before players get them',
    'these values and this experiment change',
  ],
  [
    [value, value, change, change],
    'Check 2 values and 2 changes of running experiments before players get them',
    'these values and these experiment changes',
  ],
])('are of the findings, case %#', (warnings, title, named) => {
  expect(confirmationTitle({ warnings })).toBe(title);
  expect(nameConfirmed(warnings)).toBe(named);
  expect(confirmLabel('Publish', { warnings })).toBe(`Publish with ${named}`);
});

it('name the act alone where nothing is to be confirmed', () => {
  expect(confirmLabel('Schedule', null)).toBe('Schedule');
});
