/** An HTTP endpoint that takes rows as JSON lines (NDJSON). It has taken them when it responds with 2xx, and not otherwise. */
import { StorageFailed } from '../storage-failed.js';

/** A collector that has not responded by then has not taken them. */
const responseMsMaxDefault = 30_000;
/** What an error says of a response. */
const explanationCharsMax = 200;

export class Collector {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #responseMsMax: number;

  /** @param url may have a user and a password, which are sent as Basic authentication */
  constructor(url: string, responseMsMax: number = responseMsMaxDefault) {
    this.#url = new URL(url);
    const { username, password } = this.#url;
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#headers = {
      'content-type': 'application/x-ndjson',
      ...(user === ':' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
    };
    this.#url.username = '';
    this.#url.password = '';
    this.#responseMsMax = responseMsMax;
  }

  /**
   * @param key the same for the same rows, for collectors that drop what they have taken before
   * @returns false: they are too large together
   * @throws StorageFailed
   */
  async take(rows: readonly string[], key: string): Promise<boolean> {
    const response = await this.#post(`${rows.join('\n')}\n`, key);
    if (response.ok || response.status === 413) {
      await response.body?.cancel();
      return response.ok;
    }
    throw await refusal(response);
  }

  async #post(body: string, key: string): Promise<Response> {
    try {
      return await fetch(this.#url, {
        method: 'POST',
        headers: { ...this.#headers, 'idempotency-key': key },
        body,
        // A collector behind another address is configured by that address.
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#responseMsMax),
      });
    } catch (cause) {
      throw new StorageFailed('sink_unavailable', `The collector does not respond: ${why(cause)}`, {
        cause,
      });
    }
  }
}

async function refusal(response: Response): Promise<StorageFailed> {
  const text = await response.text().catch(() => '');
  const said = text.slice(0, explanationCharsMax).replaceAll(/\s+/g, ' ').trim();
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new StorageFailed(
    'sink_unavailable',
    `The collector responds with ${response.status}${said === '' ? '' : `: ${said}`}`,
    { retrySeconds: seconds > 0 ? seconds : null },
  );
}

/** What Node says of a request that failed is in the cause. */
function why(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}
