/** The clients that two generators make, behind one form: which operation is called with what, and nothing else of HTTP. */
import createClient from 'openapi-fetch';
import type {
  AdminOperations,
  Call,
  DeliveryOperations,
  GeneratedCaller,
} from './generated-caller.js';

/** An operation as the document has it. */
export interface CalledOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Media type; null: it takes no body. */
  readonly bodyType: string | null;
  /** What oazapfts calls the body: by the name of its schema, if it has one. */
  readonly bodyName: string;
  readonly takesArguments: boolean;
  readonly successType: string;
}

export interface Place {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly operations: readonly CalledOperation[];
}

export interface Places {
  admin: Place;
  delivery(key: string): Place;
}

type Fetch = typeof globalThis.fetch;

interface Given {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

type AnyCall = (id: string, given: Given) => Promise<unknown>;

/** `openapi-fetch`, which takes method and path; its types are those of `openapi-typescript`. */
export function openapiFetch(places: Places, fetch: Fetch): GeneratedCaller {
  const call = ({ url, headers, operations }: Place): AnyCall => {
    const client = createClient<Record<string, never>>({ baseUrl: url, headers, fetch });
    return async (id, { body, ...params }) => {
      const { method, path, bodyType, successType } = operationOf(operations, id);
      const request = client.request as (...all: unknown[]) => ReturnType<typeof client.request>;
      const { data, error, response } = await request(method.toLowerCase(), path, {
        params,
        ...(body === undefined ? {} : { body }),
        ...(isText(bodyType)
          ? { bodySerializer: String, headers: { 'Content-Type': bodyType } }
          : {}),
        parseAs: successType.endsWith('/json') ? 'json' : 'text',
      });
      if (!response.ok) throw new Error(`${id}: ${response.status} ${JSON.stringify(error)}`);
      return data;
    };
  };
  return callerOf('openapi-fetch', places, call, call);
}

/** A module that oazapfts made: a function for each operation. */
export type OazapftsModule = Readonly<Record<string, unknown>> & {
  readonly defaults: { baseUrl?: string; headers?: object; fetch?: Fetch };
};

/** oazapfts: one object has all parameters, by names that are identifiers, and the body. */
export function oazapfts(
  modules: { readonly admin: OazapftsModule; readonly delivery: OazapftsModule },
  places: Places,
  fetch: Fetch,
): GeneratedCaller {
  const call =
    (module: OazapftsModule) =>
    ({ url, headers, operations }: Place): AnyCall =>
    async (id, { body, path, query, header }) => {
      Object.assign(module.defaults, { baseUrl: url, headers, fetch: linesAsText(fetch) });
      const { takesArguments, bodyName, bodyType } = operationOf(operations, id);
      const run = module[id] as (...all: unknown[]) => Promise<{ status: number; data: unknown }>;
      const named = Object.entries({ ...path, ...query, ...header });
      const all = Object.fromEntries(named.map(([name, value]) => [identifier(name), value]));
      const given = { ...all, ...(body === undefined ? {} : { [bodyName]: body }) };
      // It knows the types of bodies that are forms or JSON; of others the caller says them.
      const options = isText(bodyType) ? { headers: { ...headers, 'Content-Type': bodyType } } : {};
      const { status, data } = await run(...(takesArguments ? [given] : []), options);
      if (status >= 300) throw new Error(`${id}: ${status} ${JSON.stringify(data)}`);
      return data;
    };
  return callerOf('oazapfts', places, call(modules.admin), call(modules.delivery));
}

function callerOf(
  name: string,
  places: Places,
  admin: (place: Place) => AnyCall,
  delivery: (place: Place) => AnyCall,
): GeneratedCaller {
  const adminWith = (headers: Place['headers']): Call<AdminOperations> =>
    admin({ ...places.admin, headers }) as Call<AdminOperations>;
  return {
    name,
    admin: adminWith(places.admin.headers),
    adminAs: (token) => adminWith({ ...places.admin.headers, authorization: `Bearer ${token}` }),
    delivery: (key) => delivery(places.delivery(key)) as Call<DeliveryOperations>,
  };
}

function operationOf(operations: readonly CalledOperation[], id: string): CalledOperation {
  const found = operations.find((operation) => operation.id === id);
  if (found === undefined) throw new Error(`the document has no operation ${id}`);
  return found;
}

/** `X-Min-Sequence` is xMinSequence, and what is a word of the language has a dollar. */
function identifier(name: string): string {
  const [first = '', ...rest] = name.split('-');
  const camel = rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const joined = rest.length === 0 ? first : first.toLowerCase() + camel;
  return joined === 'from' ? '$from' : joined;
}

/** A body of many values: it goes out as it is. */
function isText(bodyType: string | null): boolean {
  return bodyType?.endsWith('ndjson') === true;
}

/** Its runtime takes any type with `json` in it for one JSON value; one value a line is text. */
function linesAsText(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!isText(response.headers.get('content-type'))) return response;
    const { body, status } = response;
    return new Response(body, { status, headers: { 'content-type': 'text/plain' } });
  };
}
