/** Who asks for a stream of OFREP's. */
import type { EvaluationContext } from '../../content/evaluation-context.js';

/** A stream that a client asks for with a token; `exchange.environment` is the key's. */
export interface OfrepSubscriber {
  /** SHA-256 of the API key, lower-case hex. The stream ends when that is revoked or expires. */
  readonly keyHash: string;
  /** Null: the token holds none, and any edit of a listed content item may concern the client. */
  readonly caller: EvaluationContext | null;
  /** When its token is accepted no longer, milliseconds since the epoch. */
  readonly tokenEndsAtMs: number;
  /** Value of Last-Event-ID; '' for none. */
  readonly lastEventId: string;
  /** See `ClientNetworks`. */
  readonly network: string;
}
