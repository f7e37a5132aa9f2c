/** Builds what npm gets: three modules, and a classic script that sets `Loadout`. The types come from tsc. */
import { defineConfig } from 'rolldown';

/**
 * Properties which only modules of the kit use with each other. None of them is part of what is sent, stored, or handed to a
 * game, and no platform has a property of that name which the kit uses.
 */
const internal = `
  active aheadMs ask bytes enter entriesById feed forget gather halt hasConsent held inOrder isBusy
  isEntering isFinal isOpen isWaiting later leave load opened post prefix quiet reason reopen report
  retryAfterMs retryLater save settle take takesEvents wait
`
  .trim()
  .split(/\s+/);

const builtIn = /^node:/;

const folder = new URL('.', import.meta.url).pathname;
/** Another one than what is packed: where the driver of the scenarios is built. */
// biome-ignore lint/style/noProcessEnv: rolldown's commands take no option of our own.
const out = process.env.KIT_OUT ?? `${folder}dist`;

const build = (input, file, more = {}) => ({
  input: `${folder}src/${input}`,
  platform: 'neutral',
  external: builtIn,
  transform: { target: 'es2020' },
  output: {
    file: `${out}/${file}`,
    minify: { mangleProps: { include: new RegExp(`^(${internal.join('|')})$`) } },
    comments: false,
    ...more,
  },
});

// biome-ignore lint/style/noDefaultExport: rolldown reads its configuration from a default export.
export default defineConfig([
  build('client.ts', 'loadout.js'),
  build('client.ts', 'loadout.iife.js', { format: 'iife', name: 'Loadout' }),
  build('node.ts', 'node.js'),
  build('xhr.ts', 'xhr.js'),
]);
