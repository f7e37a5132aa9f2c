/** Calls an operation by its name, through whichever generated client: names, arguments and results are typed by the document. */
import type { operations as AdminOperations } from './generated/admin-types.js';
import type { operations as DeliveryOperations } from './generated/delivery-types.js';

export type { AdminOperations, DeliveryOperations };

interface Operation {
  readonly parameters: { path?: unknown; query?: unknown; header?: unknown };
  readonly responses: object;
}

type Body<Op> = Op extends { requestBody: { content: infer Content } }
  ? { body: Content[keyof Content] }
  : Op extends { requestBody?: { content: infer Content } }
    ? { body?: Content[keyof Content] }
    : { body?: undefined };

export type Arguments<Op extends Operation> = Pick<Op['parameters'], 'path' | 'query' | 'header'> &
  Body<Op>;

type Success = 200 | 201 | 204;

export type Result<Op extends Operation> = Op['responses'][keyof Op['responses'] &
  Success] extends {
  content: infer Content;
}
  ? Content[keyof Content]
  : undefined;

/** Throws when the response is no success. */
export type Call<Operations> = <Id extends keyof Operations>(
  id: Id,
  given: Operations[Id] extends Operation ? Arguments<Operations[Id]> : never,
) => Promise<Operations[Id] extends Operation ? Result<Operations[Id]> : never>;

export interface GeneratedCaller {
  readonly name: string;
  readonly admin: Call<AdminOperations>;
  /** As the user of another token. */
  adminAs(token: string): Call<AdminOperations>;
  /** @param key of an environment */
  delivery(key: string): Call<DeliveryOperations>;
}
