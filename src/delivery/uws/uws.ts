/** uWebSockets.js, loaded and typed: the module that opens the delivery port imports it, and no other does. */

import type { TemplatedApp } from 'uWebSockets.js';
import { clientIdleSecondsMax } from '../limits.js';
import { loadUws, type Uws } from './load-uws.js';

/** What the bundled build has beside its declared types: how long a client may idle, seconds, before and after a request. */
interface Timed {
  setIdleTimeout?(seconds: number): unknown;
  setResponseTimeout?(seconds: number): unknown;
}

const loaded = loadUws();

/** Its apps keep `clientIdleSecondsMax` with every build. */
export const uWS: Uws = {
  ...loaded,
  // An argument that is there but undefined ends the process.
  App: (...options) => timed(loaded.App(...options)),
  SSLApp: (...options) => timed(loaded.SSLApp(...options)),
};

function timed(app: TemplatedApp & Timed): TemplatedApp {
  app.setIdleTimeout?.(clientIdleSecondsMax);
  app.setResponseTimeout?.(clientIdleSecondsMax);
  return app;
}
