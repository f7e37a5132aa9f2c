/** The schema of a tool's arguments as the SDK takes it: zod checks them, and JSON Schema (2020-12) describes them to the model. */
import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { describedByMarker } from '../contract/schemas/described-by.js';

export function argumentsSchema(input: z.ZodObject): StandardSchemaWithJSON {
  const { validate } = input['~standard'];
  // What only code can check is any value to the model; the server's answer says what is wrong with it.
  const describe = (): Record<string, unknown> =>
    z.toJSONSchema(input, {
      io: 'input',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => Reflect.deleteProperty(jsonSchema, describedByMarker),
    });
  const jsonSchema = { input: describe, output: describe };
  return { '~standard': { version: 1, vendor: 'loadout', validate, jsonSchema } };
}
