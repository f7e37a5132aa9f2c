/**
 * What a protected environment asks before an act (D68). `typed`: it takes something live away from players, changes many
 * content items at once, or loosens the protection; a person types the name of the environment. `named`: it reaches players, and
 * one step undoes it; the dialog and its button name the environment. docs/console.md has the same table.
 */
export interface ProtectedAct {
  readonly care: 'typed' | 'named';
  /** Stands between what the button says and the name of the environment. */
  readonly preposition: string;
}

const typed = (preposition: string): ProtectedAct => ({ care: 'typed', preposition });
const named = (preposition: string): ProtectedAct => ({ care: 'named', preposition });

export const protectedActs = {
  'content.publish': named('to'),
  'content.rollback': named('in'),
  'content.restore': named('in'),
  'content.delete': typed('from'),
  'contents.set': typed('in'),
  'contents.publish': typed('to'),
  'contents.delete': typed('from'),
  'segment.save': typed('to'),
  'segment.rollback': typed('in'),
  'segment.delete': typed('from'),
  sync: typed('into'),
  'release.start': named('in'),
  'release.live': typed('in'),
  'release.emergency': typed('in'),
  'release.schedule': named('in'),
  'release.resume': named('in'),
  'release.stop': named('in'),
  'release.revert': typed('in'),
  'experiment.start': named('in'),
  'experiment.stop': named('in'),
  'experiment.decide': named('in'),
  'key.revoke': typed('of'),
  'key.expire': typed('in'),
  'environment.unprotect': typed('of'),
  'environment.confirm': typed('in'),
  'environment.layers': typed('in'),
} as const satisfies Readonly<Record<string, ProtectedAct>>;

export type ActName = keyof typeof protectedActs;
