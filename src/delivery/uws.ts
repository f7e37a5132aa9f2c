/** uWebSockets.js, typed and loaded: what every process that opens the delivery port imports, and nothing else does. */

import { loadUws, type Uws } from './uws/load-uws.js';

export const uWS: Uws = loadUws();
