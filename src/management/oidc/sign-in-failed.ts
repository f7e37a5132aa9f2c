/** Which failure of a sign-in is which: what the console is told, and what the log may say. */
import type { SignInFailure } from '../../contract/sign-in-failure.js';
import { StoreUnavailable, UpgradeInProgress } from '../store/store-errors.js';
import { ProviderAway } from './provider-fetch.js';

/** What the log says of it: codes alone, for a message may have what a person or a token was. */
export type LoggedCause = Readonly<Record<'cause', string>> & {
  /** Of an error response of the provider (RFC 6749, section 5.2). */
  readonly providerError?: string;
};

const codeForm = /^[A-Za-z0-9_.-]{1,64}$/;
/** RFC 6749, section 4.1.2.1: it may work later. */
const temporary: readonly unknown[] = ['temporarily_unavailable', 'server_error'];

export function failureOf(error: unknown): SignInFailure {
  if (error instanceof StoreUnavailable || error instanceof UpgradeInProgress) return 'server';
  const away = providerAwayOf(error);
  if (away !== null) return 'provider_away';
  const code = providerErrorOf(error);
  if (code === 'access_denied') return 'denied';
  return temporary.includes(code) ? 'provider_away' : 'rejected';
}

export function causeOf(error: unknown): LoggedCause {
  const providerError = providerErrorOf(error);
  const cause = providerAwayOf(error)?.code ?? codeOf(error) ?? 'unknown';
  return providerError === null ? { cause } : { cause, providerError };
}

/** The library wraps what it did not expect. */
function providerAwayOf(error: unknown): ProviderAway | null {
  if (error instanceof ProviderAway) return error;
  return error instanceof Error && error.cause instanceof ProviderAway ? error.cause : null;
}

function providerErrorOf(error: unknown): string | null {
  const value = (error as { readonly error?: unknown } | null)?.error;
  return typeof value === 'string' && codeForm.test(value) ? value : null;
}

function codeOf(error: unknown): string | null {
  const { code, cause } = (error ?? {}) as { readonly code?: unknown; readonly cause?: unknown };
  if (typeof code === 'string' && codeForm.test(code)) return code;
  return cause === undefined || cause === error ? null : codeOf(cause);
}
