/** All ways to sign in: through the OpenID provider where the server names one, and with a token. */
import { Alert, Button, Center, Divider, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { SignInFailure } from '../../contract/sign-in-failure.js';
import { request } from '../api/call.js';
import { IconAlertTriangle, IconLogin2 } from '../icons/icons.js';
import { SignIn } from './sign-in.js';
import { describeSignInFailure } from './sign-in-failure.js';

export interface SignInWaysProps {
  readonly onSignedIn: () => void;
  /** Of the last sign-in through the provider. */
  readonly failure?: SignInFailure | null;
  /** The page stays open, with what was typed: the provider's pages get a tab of their own. */
  readonly keepsPage?: boolean;
}

export function SignInWays({ onSignedIn, failure = null, keepsPage = false }: SignInWaysProps) {
  const ways = useQuery({
    queryKey: ['sign-in-ways'],
    queryFn: () => request('GET /session/ways', {}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (ways.isPending) {
    return (
      <Center p="md">
        <Loader role="status" aria-label="Loading" />
      </Center>
    );
  }
  // A server that does not say so takes tokens in any case.
  const provider = ways.data?.provider ?? null;
  if (provider === null) return <SignIn onSignedIn={onSignedIn} />;
  return (
    <Stack>
      {failure !== null && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
          {describeSignInFailure(failure, provider.label)}
        </Alert>
      )}
      <Button
        component="a"
        href={startPath()}
        {...(keepsPage ? { target: '_blank', rel: 'noopener' } : {})}
        leftSection={<IconLogin2 size={16} aria-hidden />}
        data-autofocus
        ref={keepsPage ? undefined : focus}
      >
        Sign in with {provider.label}
        {keepsPage && ' in a new tab'}
      </Button>
      <Divider label="or with a token" />
      <SignIn onSignedIn={onSignedIn} isSecond />
    </Stack>
  );
}

/** React focuses form controls by `autoFocus`, not links. */
function focus(link: HTMLAnchorElement | null): void {
  link?.focus();
}

/** It comes back to the page that is open now. */
function startPath(): string {
  const { pathname, search, hash } = window.location;
  return `/auth/oidc/start?return=${encodeURIComponent(`${pathname}${search}${hash}`)}`;
}
