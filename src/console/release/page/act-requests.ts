/** The requests of the acts on a release. */
import type { Release } from '../../../contract/schemas/release.js';
import { request } from '../../api/call.js';
import type { ReleaseTarget } from '../../releases/release-queries.js';
import type { ActionName } from '../words/release-actions.js';

export interface ActOptions {
  /** The reason or the comment; '' for none. */
  readonly text: string;
  /** Digest of the findings that the user has looked at. */
  readonly confirm?: string | undefined;
}

/** Unconfirmed findings reject what delivers something. */
const strict = { strict: 'true' } as const;

/**
 * @throws ApiProblem, ServerAway
 */
export function sendAct(
  act: Exclude<ActionName, 'schedule' | 'revert'>,
  { version }: Pick<Release, 'version'>,
  params: ReleaseTarget,
  { text, confirm }: ActOptions,
): Promise<Release> {
  const ifVersion = version;
  switch (act) {
    case 'submit':
      return request('POST /environments/:env/releases/:release/submit', {
        params,
        query: strict,
        body: { comment: text, ifVersion, confirm },
      });
    case 'start':
      return request('POST /environments/:env/releases/:release/start', {
        params,
        query: strict,
        body: { ifVersion, confirm },
      });
    case 'live':
      return request('POST /environments/:env/releases/:release/live', {
        params,
        query: strict,
        body: { ifVersion, confirm },
      });
    case 'emergency':
      return request('POST /environments/:env/releases/:release/live', {
        params,
        query: strict,
        body: { ifVersion, confirm, emergency: { reason: text } },
      });
    case 'pause':
      return request('POST /environments/:env/releases/:release/pause', {
        params,
        body: { reason: text },
      });
    case 'resume':
      return request('POST /environments/:env/releases/:release/resume', {
        params,
        body: { ifVersion },
      });
    case 'stop':
      return request('POST /environments/:env/releases/:release/stop', {
        params,
        body: { reason: text },
      });
    case 'cancel':
      return request('POST /environments/:env/releases/:release/cancel', {
        params,
        body: { reason: text },
      });
    case 'unschedule':
      return request('POST /environments/:env/releases/:release/schedule', {
        params,
        body: { at: null, ifVersion },
      });
  }
}
