/** The web provider in Node, which needs `--experimental-eventsource` for its streams. */
import { answerCommands } from './answer-commands.mjs';
import { webCommands } from './web-commands.mjs';

await answerCommands(webCommands);
