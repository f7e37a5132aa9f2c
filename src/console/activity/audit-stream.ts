/** Follows the audit: hands on events as they happen, until it is told to stop or the server ends it. */
import { requestOf } from '../../contract/client.js';
import type { AuditEvent, AuditQuery } from '../../contract/operations/audit.js';

export interface Following {
  readonly query: AuditQuery;
  /** Id of the last event that is known; null: what comes from now on. */
  readonly after: string | null;
  /** It listens now. */
  readonly onOpen: () => void;
  readonly onEvents: (events: readonly AuditEvent[]) => void;
  readonly signal: AbortSignal;
}

/** Rejects when it cannot be asked; resolves when the server ends it. */
export async function followAudit({
  query,
  after,
  onOpen,
  onEvents,
  signal,
}: Following): Promise<void> {
  const asked = { ...query, after: after ?? undefined };
  const { path } = requestOf('GET /audit/stream', { query: asked });
  const answer = await fetch(path, { signal, cache: 'no-store' });
  if (!answer.ok || answer.body === null) throw new Error(`status ${answer.status}`);
  onOpen();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = `${rest}${value}`.split('\n');
    rest = lines.pop() ?? '';
    // Empty lines only say that it still listens.
    const events = lines
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditEvent);
    if (events.length > 0) onEvents(events);
  }
}
