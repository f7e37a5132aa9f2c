/** How long people wait for what they type: from the press of a key until the frame that shows it was made. */
import type { Page } from 'playwright-core';

const keysCount = 200;
/** A fast typist: twelve keys a second. */
const keyEveryMs = 80;

/** Keys that add to a text. */
const typing: readonly string[] = [...'xxxxxxxxx', 'Backspace'];

/** @param keys pressed one after the other, again and again */
export async function keyToPaint(
  page: Page,
  keys: readonly string[] = typing,
): Promise<{ p50: number; p99: number }> {
  await page.evaluate(watchKeys);
  for (let count = 0; count < keysCount; count += 1) {
    await page.keyboard.press(keys[count % keys.length] ?? 'x');
    await page.waitForTimeout(keyEveryMs);
  }
  const waits = (await page.evaluate('window.keyWaits')) as number[];
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Runs in the page. The frame is made after its callbacks; the message comes once that is done. */
const watchKeys = `
  window.removeEventListener('keydown', window.watchKey, { capture: true });
  window.keyWaits = [];
  window.watchKey = (event) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => keyWaits.push(performance.now() - event.timeStamp);
      port2.postMessage(null);
    });
  };
  window.addEventListener('keydown', window.watchKey, { capture: true });
`;
