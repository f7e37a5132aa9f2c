/** Shows the console to signed-in users. When a session ends later, the page stays, with sign-in above it. */
import { Center, Loader, Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { requestOf } from '../../contract/client.js';
import { ApiProblem } from '../api/call.js';
import { sessionEnded } from '../api/session-end.js';
import { ProblemAlert } from '../parts/problem-alert.js';
import { SessionContext, useMe } from './session.js';
import { useSignInFailure } from './sign-in-failure.js';
import { SignInScreen } from './sign-in-screen.js';
import { SignInWays } from './sign-in-ways.js';

export function SessionGate({ children }: { readonly children: ReactNode }) {
  const me = useMe();
  const queries = useQueryClient();
  const failure = useSignInFailure();
  const [hasEnded, setHasEnded] = useState(false);
  const known = me.data;
  /** The newest check: what an earlier one finds may be of the time before a sign-in. */
  const newest = useRef(0);
  const wasOut = useRef(false);
  const signedIn = (): void => {
    newest.current += 1;
    wasOut.current = false;
    setHasEnded(false);
  };
  useEffect(() => {
    const check = (): void => {
      newest.current += 1;
      const own = newest.current;
      void isSignedOut().then((isOut) => {
        if (own !== newest.current) return;
        // Somebody else may have signed in there: nothing of the session before is shown on.
        if (wasOut.current && !isOut) void queries.invalidateQueries();
        wasOut.current = isOut;
        setHasEnded(isOut);
      });
    };
    const stopListening = sessionEnded.listen(check);
    // The user may have signed in again in another tab.
    window.addEventListener('focus', check);
    return () => {
      stopListening();
      window.removeEventListener('focus', check);
    };
  }, [queries]);

  if (known === undefined) {
    if (me.error instanceof ApiProblem && me.error.status === 401) {
      return (
        <SignInScreen
          failure={failure}
          onSignedIn={() => {
            signedIn();
            void me.refetch();
          }}
        />
      );
    }
    return (
      <Center mih="100vh" p="md">
        {me.error === null ? (
          <Loader role="status" aria-label="Loading" />
        ) : (
          <ProblemAlert error={me.error} onRetry={() => void me.refetch()} />
        )}
      </Center>
    );
  }
  return (
    <SessionContext value={known}>
      {children}
      <Modal
        opened={hasEnded}
        onClose={() => {}}
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
        title="Your session has ended"
        centered
      >
        <Text size="sm" mb="md">
          Sign in again to continue. What you typed is safe.
        </Text>
        <SignInWays
          keepsPage
          onSignedIn={() => {
            signedIn();
            void queries.invalidateQueries();
          }}
        />
      </Modal>
    </SessionContext>
  );
}

/** Checks once more: a late 401 may be of an earlier session. */
async function isSignedOut(): Promise<boolean> {
  const { path } = requestOf('GET /me', {});
  const response = await fetch(path, { cache: 'no-store' }).catch(() => null);
  return response?.status === 401;
}
