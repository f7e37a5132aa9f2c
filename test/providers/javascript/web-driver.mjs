/**
 * Drives `@openfeature/web-sdk` with `@openfeature/ofrep-web-provider` in a page, which calls `obey`. The SDK evaluates
 * all flags for one context, so a command that brings a context sets it first.
 */
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk';
import { evaluate } from './evaluation.mjs';

const eventNames = {
  changed: ProviderEvents.ConfigurationChanged,
  error: ProviderEvents.Error,
  ready: ProviderEvents.Ready,
  stale: ProviderEvents.Stale,
};
/** Events that no command has waited for yet, in their order. */
const seen = [];
let onEvent = () => {};
let contextJson = '{}';

for (const [name, event] of Object.entries(eventNames)) {
  OpenFeature.addHandler(event, (details) => {
    seen.push({
      event: name,
      flagsChanged: details?.flagsChanged ?? [],
      message: details?.message ?? null,
    });
    onEvent();
  });
}

async function setContext({ context }) {
  const json = JSON.stringify(context);
  if (json === contextJson) return;
  await OpenFeature.setContext(context);
  contextJson = json;
}

const commands = {
  /** @returns why the provider could not start; null: it has */
  async configure({ baseUrl, headers, context = {}, ...options }) {
    await OpenFeature.setContext(context);
    contextJson = JSON.stringify(context);
    const provider = new OFREPWebProvider({
      baseUrl,
      headers: Object.entries(headers),
      // The default would answer a changed context with what is cached for the same targeting key.
      cacheMode: 'network-first',
      ...options,
    });
    try {
      await OpenFeature.setProviderAndWait(provider);
      return null;
    } catch (error) {
      return String(error);
    }
  },
  async evaluate({ context, ...command }) {
    if (context !== undefined) await setContext({ context });
    return await evaluate(OpenFeature.getClient(), command);
  },
  setContext,
  /** Waits for the first event of that name which no command has waited for; those before it are dropped. */
  async waitForEvent({ event }) {
    for (;;) {
      const index = seen.findIndex((each) => each.event === event);
      if (index >= 0) return seen.splice(0, index + 1).at(-1);
      await new Promise((resolve) => {
        onEvent = resolve;
      });
    }
  },
  shutdown: () => OpenFeature.close(),
};

/** @param command of the driver protocol @returns its result */
globalThis.obey = async (command) => (await commands[command.command](command)) ?? null;
