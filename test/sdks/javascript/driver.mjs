/** Calls the JavaScript SDK: a command per line of JSON on standard input, its outcome per line on standard output. */
import { createInterface } from 'node:readline';
import { ApiBadRequestError, Joystick, MultipleContentsApiError } from '@getjoystick/joystick-js';

const clients = new Map();
/** The outcomes are on standard output, and the test reads errors there. */
const silent = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  debug: () => undefined,
  shouldLog: () => false,
};

/** One client for the same options, so that its cache lives on. */
function clientOf(options) {
  const name = JSON.stringify(options);
  if (!clients.has(name)) clients.set(name, new Joystick(options, { logger: silent }));
  return clients.get(name);
}

function call({ client, method, id, ids, options }) {
  const sdk = clientOf(client);
  if (method === 'one') return sdk.getContent(id, options);
  if (method === 'several') return sdk.getContents(ids, options);
  return sdk.publishContentUpdate(id, { description: 'a price', content: { price: 0 } });
}

async function outcomeOf(command) {
  try {
    return { value: (await call(command)) ?? null };
  } catch (error) {
    return { error: kindOf(error), message: error.message };
  }
}

function kindOf(error) {
  if (error instanceof ApiBadRequestError) return 'request';
  if (error instanceof MultipleContentsApiError) return 'contents';
  return error.constructor.name;
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await outcomeOf(JSON.parse(line))));
}
