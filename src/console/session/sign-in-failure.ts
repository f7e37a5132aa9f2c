/** Why a sign-in through the OpenID provider failed, in words of the console: nothing of the provider's text is shown. */
import { useEffect, useState } from 'react';
import {
  type SignInFailure,
  signInFailureParameter,
  signInFailures,
} from '../../contract/sign-in-failure.js';

const texts: Readonly<Record<SignInFailure, (label: string) => string>> = {
  denied: (label) => `Sign-in was cancelled at ${label}.`,
  provider_away: (label) => `Can’t reach ${label}. Try again later, or sign in with a token.`,
  rejected: (label) =>
    `The response of ${label} could not be verified. Try again; if it stays so, ask an owner to look into the log of the server.`,
  attempt_ended: () =>
    'This sign-in took too long, was used already, or began in another browser or under another address. Try again.',
  no_group: (label) =>
    `You are in no group that may use this console. Ask whoever manages groups in ${label}.`,
  groups_unreadable: (label) =>
    `${label} does not send your groups in a form that can be read. Ask an owner to look into the log of the server.`,
  too_many: () => 'There were too many sign-ins from your address. Wait a minute, then try again.',
  users_full: () => 'There is no room for another user. Ask an owner to remove some.',
  server: () => 'The server cannot save the sign-in right now. Try again later.',
};

export function describeSignInFailure(failure: SignInFailure, label: string): string {
  return texts[failure](label);
}

/** @param search query of the page, which anyone may have written */
export function signInFailureIn(search: string): SignInFailure | null {
  const given = new URLSearchParams(search).get(signInFailureParameter);
  return signInFailures.find((one) => one === given) ?? null;
}

/** The failure that the page was opened with. Its address forgets it, so that a reload does not tell it again. */
export function useSignInFailure(): SignInFailure | null {
  const [failure] = useState(() => signInFailureIn(window.location.search));
  useEffect(() => {
    const url = new URL(window.location.href);
    if (!url.searchParams.has(signInFailureParameter)) return;
    url.searchParams.delete(signInFailureParameter);
    window.history.replaceState(window.history.state, '', url);
  }, []);
  return failure;
}
