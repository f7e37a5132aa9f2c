/** The form that signs in with a token. */
import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiProblem, request, wordsOf } from '../api/call.js';

export interface SignInProps {
  readonly onSignedIn: () => void;
  /** Another way to sign in stands above it. */
  readonly isSecond?: boolean;
}

export function SignIn({ onSignedIn, isSecond = false }: SignInProps) {
  const [token, setToken] = useState('');
  const signIn = useMutation({
    mutationFn: (typed: string) => request('POST /session', { body: { token: typed } }),
    onSuccess: onSignedIn,
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    signIn.mutate(token.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="Token"
          description="Printed when the server first started, or ask an owner."
          placeholder="lot_…"
          autoComplete="current-password"
          {...(isSecond ? {} : { 'data-autofocus': true, autoFocus: true })}
          required
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          error={signIn.error === null ? null : words(signIn.error)}
        />
        <Button
          type="submit"
          variant={isSecond ? 'default' : 'filled'}
          loading={signIn.isPending}
          disabled={token.trim() === ''}
        >
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function words(error: Error): string {
  if (error instanceof ApiProblem && error.code === 'invalid_token') {
    return 'Unknown or revoked token.';
  }
  return wordsOf(error);
}
