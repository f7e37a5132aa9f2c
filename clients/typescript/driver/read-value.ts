/** Values as a driver responds with them: JSON text. */
import type { Client, Value } from '../src/client.js';
import type { Command } from './commands.js';

const integerPattern = /^-?\d+$/;

export function readValue(client: Client, command: Command): Value<string> {
  const { id, pointer, type, default: defaultText } = command;
  if (type === 'integer') return readInteger(client, id, pointer, defaultText);
  const { value, ...rest } = client.get(id, pointer, JSON.parse(defaultText) as unknown);
  return { value: JSON.stringify(value), ...rest };
}

/** As a game reads what may be beyond 2^53. */
function readInteger(
  client: Client,
  id: string,
  pointer: string,
  byDefault: string,
): Value<string> {
  const found = client.getText(id, pointer, byDefault);
  const { value } = found;
  const number = Number(value);
  if (integerPattern.test(value) && BigInt.asIntN(64, BigInt(value)) === BigInt(value))
    return { ...found, value: String(BigInt(value)) };
  if (
    !value.startsWith('"') &&
    Number.isSafeInteger(number) &&
    value.trim() !== '' &&
    Number.isFinite(number)
  )
    return { ...found, value: String(number) };
  return { ...found, value: byDefault, source: 'default' };
}
