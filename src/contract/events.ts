/**
 * The names of what happens: actions of the audit, and types of webhook messages. Names only, because every process reads
 * them; `schemas/webhook-messages.ts` has what the messages hold.
 */

/** What the audit records, as `noun.verb`. Rows of other versions of the server may have other names. */
export type AuditAction =
  | 'audit.prune'
  | 'content.delete'
  | 'content.publish'
  | 'content.put'
  | 'content.remove-line'
  | 'content.restore'
  | 'content.rollback'
  | 'environment.create'
  | 'environment.delete'
  | 'environment.import'
  | 'environment.sync'
  | 'environment.update'
  | 'experiment.create'
  | 'experiment.decide'
  | 'experiment.delete'
  | 'experiment.phase'
  | 'experiment.start'
  | 'experiment.stop'
  | 'experiment.update'
  | 'events.export'
  | 'events.forget'
  | 'key.create'
  | 'key.revoke'
  | 'key.update'
  | 'metric.delete'
  | 'metric.put'
  | 'release.approve'
  | 'release.cancel'
  | 'release.comment'
  | 'release.create'
  | 'release.emergency'
  | 'release.fail'
  | 'release.live'
  | 'release.pause'
  | 'release.reject'
  | 'release.resume'
  | 'release.revert'
  | 'release.schedule'
  | 'release.start'
  | 'release.step'
  | 'release.stop'
  | 'release.submit'
  | 'release.update'
  | 'retention.run'
  | 'sample-user.delete'
  | 'sample-user.put'
  | 'segment.delete'
  | 'segment.draft'
  | 'segment.put'
  | 'segment.rollback'
  | 'session.create'
  | 'session.delete'
  | 'session.refuse'
  | 'store.backup'
  | 'store.restore'
  | 'token.create'
  | 'token.refuse'
  | 'token.revoke'
  | 'user.create'
  | 'user.delete'
  | 'user.token'
  | 'user.update'
  | 'webhook.create'
  | 'webhook.delete'
  | 'webhook.disable'
  | 'webhook.retry'
  | 'webhook.secret'
  | 'webhook.test'
  | 'webhook.update';

/** What a webhook can be limited to. A message is sent once the event is committed, whatever its user and its route. */
export const eventTypes = [
  'content.published',
  'content.deleted',
  'environment.synced',
  'environment.imported',
  'environment.deleted',
  'key.created',
  'key.revoked',
  'segment.changed',
  'segment.deleted',
  'release.submitted',
  'release.approved',
  'release.rejected',
  'release.scheduled',
  'release.started',
  'release.stepped',
  'release.paused',
  'release.resumed',
  'release.stopped',
  'release.live',
  'release.reverted',
  'release.failed',
  'release.cancelled',
  'release.emergency',
] as const;

export type EventType = (typeof eventTypes)[number];

/** How the messages of a webhook look: Loadout's own, signed; or as a chat service takes them (D125). */
export const webhookFormats = ['loadout', 'slack', 'discord', 'teams'] as const;

export type WebhookFormat = (typeof webhookFormats)[number];

/** Sent by the test button only, to the webhook that is tested, whatever its filters. */
export const testEventType = 'webhook.test';

export type MessageType = EventType | typeof testEventType;
