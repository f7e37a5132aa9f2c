/** A tool of the assistant: what it takes, and what it asks the server. */
import { z } from 'zod';
import type { ArgumentsOf } from '../contract/client.js';
import type { OperationSpec } from '../contract/operation.js';
import type { ReadRoute } from './allowed-routes.js';
import type { AssistantClient } from './assistant-client.js';

export interface Tool {
  readonly name: string;
  /** One sentence or two, for the model that chooses. */
  readonly description: string;
  /** Strict: an argument that it does not know is an error. */
  readonly input: z.ZodObject;
  /** It saves a draft. */
  readonly drafts: boolean;
  /** @param args validated, without offset */
  readonly run: (client: AssistantClient, args: Record<string, unknown>) => Promise<unknown>;
}

const offsetSchema = z
  .int()
  .min(0)
  .default(0)
  .describe('Where a result that was cut goes on: the offset that it names.');

/** A tool with an input of its own. */
export function tool<S extends z.ZodRawShape>(spec: {
  readonly name: string;
  readonly description: string;
  readonly input: S;
  readonly drafts?: boolean;
  readonly run: (client: AssistantClient, args: z.output<z.ZodObject<S>>) => Promise<unknown>;
}): Tool {
  const input = z.strictObject({ ...spec.input, offset: offsetSchema });
  return { drafts: false, ...spec, input, run: spec.run as Tool['run'] };
}

/** A tool that is one operation of the contract: its parameters, query and body are the arguments. */
export function readTool(
  name: string,
  operation: OperationSpec & { readonly route: ReadRoute },
  description: string,
): Tool {
  const { params, query, body, route } = operation;
  const bodyShape = body === undefined ? {} : shapeOf(body);
  const pathNames = Object.keys(params?.shape ?? {});
  const bodyNames = Object.keys(bodyShape);
  return tool({
    name,
    description,
    input: { ...params?.shape, ...query?.shape, ...bodyShape } as z.ZodRawShape,
    run: (client, given) => {
      const part = (names: readonly string[]) =>
        Object.fromEntries(Object.entries(given).filter(([key]) => names.includes(key)));
      const path = Object.entries(part(pathNames)).map(([key, value]) => [key, String(value)]);
      const queryNames = Object.keys(query?.shape ?? {});
      const args = {
        params: Object.fromEntries(path),
        query: part(queryNames),
        ...(body === undefined ? {} : { body: part(bodyNames) }),
      };
      return client.read(route, args as unknown as ArgumentsOf<ReadRoute>);
    },
  });
}

function shapeOf(body: z.ZodType): z.ZodRawShape {
  if (body instanceof z.ZodObject) return body.shape;
  throw new Error('a tool is made of an operation whose body is an object');
}
