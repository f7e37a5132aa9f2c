/** Entry of the console: one page, which loads a screen when it is first shown. */
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { notePresence } from './api/presence.js';
import { App } from './app.js';
import { styleNonce } from './theme.js';

// get-nonce, which Mantine uses to lock scrolling behind a dialog, reads the nonce by this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

for (const sign of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'focus']) {
  window.addEventListener(sign, notePresence, { passive: true, capture: true });
}

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App />);
