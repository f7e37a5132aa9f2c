/** What surrounds every screen: styles, cached responses, the session, and which path shows which screen. */
import { Center, Loader, MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { queryClient } from './api/query-client.js';
import { useIsNarrow } from './parts/use-is-narrow.js';
import { preloadScreens, Screens } from './screens.js';
import { SessionGate } from './session/session-gate.js';
import { Shell } from './shell/shell.js';
import { readableColours, styleNonce, theme } from './theme.js';

/** Beside the work: neither over the actions of the screen and of dialogs, nor on small screens over the bar that saves. */
function Toasts() {
  return <Notifications position={useIsNarrow() ? 'top-center' : 'bottom-left'} />;
}

export function App() {
  useEffect(preloadScreens, []);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
      cssVariablesResolver={readableColours}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': 'Close' } }}>
          <Toasts />
          <SessionGate>
            <Shell>
              <Suspense
                fallback={
                  <Center mih={240}>
                    <Loader role="status" aria-label="Loading" />
                  </Center>
                }
              >
                <Screens />
              </Suspense>
            </Shell>
          </SessionGate>
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
