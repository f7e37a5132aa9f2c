/** What OFREP's stream asks of whatever keeps streams open. */
import type { EvaluationContext } from '../../content/evaluation-context.js';
import type { Exchange } from '../http/exchange.js';

/** A stream that a client asks for with a token; `exchange.environment` is the key's. */
export interface OfrepSubscriber {
  /** SHA-256 of the API key, lower-case hex. The stream ends when that is revoked or expires. */
  readonly keyHash: string;
  /** Null: the token holds none, and any edit of a listed content item may concern the client. */
  readonly caller: EvaluationContext | null;
  /** Value of Last-Event-ID; '' for none. */
  readonly lastEventId: string;
  /** See `ClientNetworks`. */
  readonly network: string;
}

export interface OfrepStreams {
  /**
   * Opens a stream of server-sent events, or rejects the request. An event is due exactly when the tag of a content item
   * that lists flags changes for the caller, or the list does: `id:` and `etag` are the sequence, and the data is
   * `{"type":"refetchEvaluation","etag":"9041"}`.
   */
  open(exchange: Exchange, subscriber: OfrepSubscriber): void;
}
