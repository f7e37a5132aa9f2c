/** An event of a release's timeline as a sentence. Pure. */
import type { TimelineEvent } from '../../../contract/operations/releases/releases.js';
import { stateLabels } from '../../releases/words/release-states.js';

const verbs: Readonly<Record<string, string>> = {
  'release.create': 'made the release',
  'release.update': 'changed the release',
  'release.submit': 'submitted it for review',
  'release.approve': 'approved it',
  'release.reject': 'sent it back',
  'release.comment': 'commented',
  'release.schedule': 'scheduled it',
  'release.start': 'started the ramp',
  'release.step': 'went on to the next step',
  'release.pause': 'paused the ramp',
  'release.resume': 'resumed the ramp',
  'release.stop': 'stopped the ramp',
  'release.live': 'made it live for all players',
  'release.revert': 'reverted it',
  'release.fail': 'could not start it',
  'release.cancel': 'cancelled it',
  'release.emergency': 'went live without approval',
};

/** What happens without a person. */
const systemVerbs: Readonly<Record<string, string>> = {
  'release.start': 'The ramp started',
  'release.step': 'The ramp went on',
  'release.pause': 'The ramp was paused',
  'release.stop': 'The ramp was stopped',
  'release.live': 'It went live for all players',
  'release.fail': 'It failed to start',
};

export function describeTimelineEvent(event: TimelineEvent): string {
  const { event: name, by, percent, state } = event;
  const isSystem = by === 'system';
  const fallback = `${isSystem ? '' : `${by} `}${name.replace('release.', '')}`;
  const verb = isSystem ? systemVerbs[name] : verbs[name];
  const sentence = verb === undefined ? fallback : isSystem ? verb : `${by} ${verb}`;
  if (percent !== null) return `${sentence}: ${percent} %.`;
  // It may have been the last approval that was needed.
  return name === 'release.approve'
    ? `${sentence}. Now: ${stateLabels[state].toLowerCase()}.`
    : `${sentence}.`;
}
