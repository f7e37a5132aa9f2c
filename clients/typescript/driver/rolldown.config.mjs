/** Builds the driver for Node around the built client, as a game has it. The other drivers bundle its sources. */
import { defineConfig } from 'rolldown';

const folder = new URL('.', import.meta.url).pathname;
/** Where the client was built, and the driver is. */
// biome-ignore lint/style/noProcessEnv: rolldown's commands take no option of our own.
const out = process.env.KIT_OUT ?? `${folder}../dist`;

// biome-ignore lint/style/noDefaultExport: rolldown reads its configuration from a default export.
export default defineConfig({
  input: `${folder}driver.ts`,
  platform: 'node',
  resolve: {
    alias: { '../src/client.js': `${out}/loadout.js`, '../src/node.js': `${out}/node.js` },
  },
  output: { file: `${out}/driver.js` },
});
