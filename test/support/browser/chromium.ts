/** Where the Chromium is in which the console is tried. */
import { existsSync } from 'node:fs';

const places = [
  process.env['LOADOUT_CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const chromiumPath: string | null =
  places.find((place) => place !== undefined && existsSync(place)) ?? null;

/** As root in a container Chromium cannot make its sandbox; it is shown nothing but our own pages. */
export const chromiumFlags: readonly string[] = ['--no-sandbox'];
