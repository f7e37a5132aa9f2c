/** Requests to the OpenID provider, within limits: where to, how long, how much. */
import { providerBytesMax, providerMsMax } from '../limits/sessions.js';
import { isSafeUrl } from './oidc-settings.js';

/** The provider cannot be asked, or sends more than this server takes. */
export class ProviderAway extends Error {
  readonly code: 'unreachable' | 'timeout' | 'too_large' | 'status';

  constructor(code: ProviderAway['code'], cause?: unknown) {
    super(`the OpenID provider does not respond as it should: ${code}`, { cause });
    this.name = 'ProviderAway';
    this.code = code;
  }
}

/** Metadata of the provider names a place that requests must not go to. */
export class UnsafeEndpoint extends Error {
  readonly code = 'unsafe_endpoint';
}

/**
 * A whole response, read before it is returned: a provider that sends slowly is given up after the same time as one that does not
 * send. Redirects are not followed: the request has a secret.
 * @throws ProviderAway, UnsafeEndpoint
 */
export async function fetchOfProvider(url: string, options: RequestInit): Promise<Response> {
  if (!isSafeUrl(new URL(url))) throw new UnsafeEndpoint('an endpoint of it is not https');
  const ended = AbortSignal.timeout(providerMsMax);
  try {
    const response = await fetch(url, { ...options, redirect: 'manual', signal: ended });
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel();
      throw new ProviderAway('status');
    }
    const body = await readWhole(response);
    const { status, headers } = response;
    return new Response(isWithoutBody(status) ? null : body, { status, headers });
  } catch (error) {
    if (error instanceof ProviderAway) throw error;
    throw new ProviderAway(ended.aborted ? 'timeout' : 'unreachable', error);
  }
}

function isWithoutBody(status: number): boolean {
  return status === 204 || status === 304;
}

async function readWhole({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body ?? []) {
    bytes += piece.byteLength;
    // What is read was decompressed: a small response may become a large one.
    if (bytes > providerBytesMax) throw new ProviderAway('too_large');
    pieces.push(piece);
  }
  return Uint8Array.from(Buffer.concat(pieces));
}
