/** How long until something happens, counted down each second. */
import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { countdownText } from '../words/countdown-text.js';

export function Countdown({ at }: { readonly at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    // Screen readers would be interrupted each second.
    <Text span inherit fw={600} aria-live="off" style={{ fontVariantNumeric: 'tabular-nums' }}>
      {countdownText(at, now)}
    </Text>
  );
}
