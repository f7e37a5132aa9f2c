/** Why a sign-in through the OpenID provider failed, as the console is told: it words these, and shows no text of the provider. */
export const signInFailures = [
  'denied',
  'provider_away',
  'rejected',
  'attempt_ended',
  'no_group',
  'groups_unreadable',
  'too_many',
  'users_full',
  'server',
] as const;

export type SignInFailure = (typeof signInFailures)[number];

/** Query parameter of the console's page that holds one. */
export const signInFailureParameter = 'sign-in-failure';
