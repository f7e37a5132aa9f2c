/** Says in plain words why a message did not arrive, for the people who repair it. */
import type { WebhookFormat } from '../../contract/events.js';
import { TargetRejected } from './target-address.js';

/** There was no response in time. */
export class ResponseLate extends Error {
  readonly code = 'answer_late';

  constructor(milliseconds: number) {
    super(`No answer within ${milliseconds / 1000} seconds.`);
    this.name = 'AnswerLate';
  }
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there: the connection was refused.',
  ECONNRESET: 'The connection was closed before there was an answer.',
  EPIPE: 'The connection was closed before there was an answer.',
  ENOTFOUND: 'The name of the host is not known.',
  EAI_AGAIN: 'The name of the host could not be looked up now.',
  ETIMEDOUT: 'The host does not answer.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network of the host cannot be reached.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not trusted: it is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is not trusted: its chain ends in an unknown root.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate is not trusted: its chain is incomplete.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Its certificate is not trusted: its issuer is unknown.',
  EPROTO: 'It does not speak TLS as expected.',
  HPE_HEADER_OVERFLOW: 'The head of its answer is too large.',
};

/** One sentence; the error's code where there are no words for it, and never its message or stack. */
export function describeFailure(error: unknown): string {
  if (error instanceof ResponseLate || error instanceof TargetRejected) return error.message;
  const code = codeOf(error);
  const known = words[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return 'What answered is not HTTP.';
  return code === ''
    ? 'The message could not be sent.'
    : `The message could not be sent (${code}).`;
}

/** Several addresses of a host may fail each in its own way: the first one speaks for all. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}

/** Why a status is not a success; '' where it is one. */
export function wordStatus(status: number, format: WebhookFormat): string {
  if (status >= 200 && status <= 299) return '';
  if (status >= 300 && status <= 399) return `It answered ${status}: redirects are not followed.`;
  const meaning = format === 'loadout' ? undefined : chatWords[status];
  if (meaning !== undefined) return `It answered ${status}: ${meaning}.`;
  return `It answered ${status}.`;
}

/** What chats mean by a status, as their documents have it; bodies of responses are not read. */
const chatWords: Readonly<Record<number, string>> = {
  400: 'the chat does not take the message',
  401: 'the chat does not accept the URL',
  403: 'the chat does not allow messages there',
  404: 'the chat does not know this URL any more; make a new one there',
  410: 'the channel is archived, or the URL was removed',
  429: 'too many messages; the chat asks to wait',
};

/**
 * Why nothing shall be sent there any more, in words that follow the name of the webhook; null: no such response. 410 says so for
 * every receiver (Standard Webhooks). Of a chat 404 means it too: the URL was removed, and services block senders that go on.
 */
export function goneReason(status: number | null, format: WebhookFormat): string | null {
  if (status === 410 && format === 'loadout') return 'it answered 410 Gone';
  if (format === 'loadout' || (status !== 404 && status !== 410)) return null;
  return `it answered ${status}: ${chatWords[status]}`;
}
