/** What each event of a webhook is about. */
import type { EventType } from '../../contract/events.js';

export const eventDescriptions: Readonly<Record<EventType, string>> = {
  'content.published':
    'Another revision of a content item is live: saved, rolled back or restored.',
  'content.deleted': 'A content item is no longer delivered.',
  'environment.synced': 'A sync changed an environment: one message for all of it.',
  'environment.imported': 'An import changed an environment: one message for all of it.',
  'environment.deleted': 'An environment was deleted with everything in it.',
  'key.created': 'An API key was created.',
  'key.revoked': 'An API key was revoked.',
  'segment.changed': 'A segment was created or changed.',
  'segment.deleted': 'A segment was deleted.',
  'release.submitted': 'A release waits for review.',
  'release.approved': 'A release has the approvals that it needs.',
  'release.rejected': 'A reviewer sent a release back.',
  'release.scheduled': 'A release was given a time, or its time was removed.',
  'release.started': 'The ramp of a release started.',
  'release.stepped': 'A ramp went on to its next step.',
  'release.paused': 'A ramp was paused, by a person or by its brake.',
  'release.resumed': 'A paused ramp goes on.',
  'release.stopped': 'A ramp was stopped, by a person or by its brake.',
  'release.live': 'A release is live for all players.',
  'release.reverted': 'A release was reverted: what was live before it is live again.',
  'release.failed': 'A scheduled release did not start.',
  'release.cancelled': 'A release was cancelled.',
  'release.emergency': 'An owner went live without the approvals that the environment asks for.',
};
