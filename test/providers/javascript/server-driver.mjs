/** Drives `@openfeature/server-sdk` with `@openfeature/ofrep-provider`. */
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';
import { answerCommands } from './answer-commands.mjs';
import { evaluate } from './evaluation.mjs';

await answerCommands({
  async configure({ baseUrl, headers }) {
    await OpenFeature.setProviderAndWait(
      new OFREPProvider({ baseUrl, headers: Object.entries(headers) }),
    );
  },
  evaluate: (command) => evaluate(OpenFeature.getClient(), command),
  shutdown: () => OpenFeature.close(),
});
