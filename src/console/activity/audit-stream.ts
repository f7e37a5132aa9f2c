/** Follows the audit stream: passes on events as they happen, until it is aborted or the server ends it. */
import { requestOf } from '../../contract/client.js';
import type { AuditEvent, AuditQuery } from '../../contract/operations/audit.js';

export interface Following {
  readonly query: AuditQuery;
  /** Id of the last known event; null: start with the next one. */
  readonly after: string | null;
  /** The stream is open. */
  readonly onOpen: () => void;
  readonly onEvents: (events: readonly AuditEvent[]) => void;
  readonly signal: AbortSignal;
}

/** Resolves when the server ends the stream; rejects when it cannot be opened. */
export async function followAudit({
  query,
  after,
  onOpen,
  onEvents,
  signal,
}: Following): Promise<void> {
  const request = { ...query, after: after ?? undefined };
  const { path } = requestOf('GET /audit/stream', { query: request });
  const response = await fetch(path, { signal, cache: 'no-store' });
  if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ''; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = `${rest}${value}`.split('\n');
    rest = lines.pop() ?? '';
    // Empty lines only keep the connection alive.
    const events = lines
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditEvent);
    if (events.length > 0) onEvents(events);
  }
}
