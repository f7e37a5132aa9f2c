/** What a dialog says before an act on a release: what happens, and whether it can be undone. Pure. */
import type { Release } from '../../../contract/schemas/release.js';
import { counted } from '../../parts/counted.js';
import type { ActionName } from './release-actions.js';

/** Acts that ask before they are carried out; a schedule has a dialog of its own. */
export type AskedAct = Exclude<ActionName, 'pause' | 'schedule' | 'unschedule'>;

export interface ActWords {
  readonly title: string;
  readonly text: string;
  /** Of the field for the reason; null: no field. */
  readonly field: string | null;
  readonly isFieldRequired?: boolean;
  readonly confirm: string;
  readonly color?: string;
}

/** @param place name of the environment */
export function actWords(act: AskedAct, release: Release, place: string): ActWords {
  const { reach, steps, review, state } = release;
  const items = counted(reach.contents.length, 'content item');
  const first = steps[0];
  switch (act) {
    case 'submit':
      return review.required === 0
        ? {
            ...{ title: 'Make ready again', field: 'Comment', confirm: 'Make ready' },
            text: 'The release is checked again and can then be started, scheduled or made live.',
          }
        : {
            ...{ title: 'Submit for review', field: 'Comment for reviewers', confirm: 'Submit' },
            text: `All changes are checked together. Then it waits for ${counted(review.required, 'approval')}. Nothing is delivered yet.`,
          };
    case 'start':
      return {
        ...{ title: 'Start the ramp', field: null, confirm: 'Start ramp' },
        text: `${first?.percent ?? 0} % of the players of ${place} get ${items} with the changes. It goes on by itself, step by step. While it ramps, no one can publish what it reaches.`,
      };
    case 'live':
      return {
        ...{ title: 'Go live for all players', field: null },
        text: `All players of ${place} get ${items} with the changes at once. You can revert it.`,
        confirm: 'Go live',
      };
    case 'resume':
      return {
        ...{ title: 'Resume the ramp', field: null, confirm: 'Resume' },
        text: `The ramp goes on by itself from where it is, until all players of ${place} get ${items} with the changes.`,
      };
    case 'stop':
      return {
        ...{ title: 'Stop this release', field: 'Reason', confirm: 'Stop', color: 'red' },
        text: 'Players who have the changes get what is live again, at once. To start it again, it has to be submitted again.',
      };
    case 'revert':
      return {
        ...{ title: 'Revert this release', field: 'Reason', color: 'red' },
        text: `All players of ${place} get again what was live before this release, at once. The history keeps every revision.`,
        confirm: 'Revert',
      };
    case 'cancel':
      return {
        ...{
          title: 'Cancel this release',
          field: 'Reason',
          confirm: 'Cancel release',
          color: 'red',
        },
        text: `The release ends ${state === 'scheduled' ? 'and does not start' : 'here'}. Its drafts stay. This cannot be undone.`,
      };
    case 'emergency':
      return {
        ...{ title: 'Emergency: go live without approval', field: 'Reason', color: 'red' },
        ...{ isFieldRequired: true, confirm: 'Go live without approval' },
        text: `All players of ${place} get the changes at once. Ramps that reach the same are stopped. Everyone sees it: webhooks are notified, and a banner stays for a day.`,
      };
  }
}
