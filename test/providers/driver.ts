/**
 * A provider that runs elsewhere, driven by commands with an answer each. Every driver takes `configure`, `evaluate` and
 * `shutdown`; that of a provider with one context for all flags also takes `setContext` and `waitForEvent`.
 */

export type Context = Readonly<Record<string, unknown>>;

export interface Configuration {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a web provider. */
  readonly context?: Context;
  /** Of a web provider, in milliseconds. */
  readonly pollInterval?: number;
  /** Of a web provider. */
  readonly changeDetection?: 'sse' | 'polling' | 'none';
}

export interface Evaluate {
  readonly type: 'boolean' | 'string' | 'integer' | 'float' | 'object';
  readonly key: string;
  /** What the SDK returns where there is no such flag. */
  readonly default: unknown;
  readonly context?: Context;
}

/** What the SDK says of one flag. */
export interface Details {
  /** As the language writes the value as JSON: JavaScript could not hold every one. */
  readonly valueJson: string;
  readonly variant: string | null;
  readonly reason: string | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly flagMetadata: Readonly<Record<string, unknown>>;
}

export type EventName = 'changed' | 'error' | 'ready' | 'stale';

export interface ProviderEvent {
  readonly event: EventName;
  readonly flagsChanged: readonly string[];
  readonly message: string | null;
}

export type Command = Readonly<Record<string, unknown>> & { readonly command: string };

/** Where the provider runs: a process, or a page in a browser. */
export interface Place {
  /** @returns the result of the command; throws what the provider threw, or that there was no answer in time */
  obey(command: Command): Promise<unknown>;
  end(): Promise<void>;
}

export class Driver {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  /** @returns why a web provider could not start; null: it has */
  configure(configuration: Configuration): Promise<string | null> {
    return this.#place.obey({ command: 'configure', ...configuration }) as Promise<string | null>;
  }

  evaluate(evaluate: Evaluate): Promise<Details> {
    return this.#place.obey({ command: 'evaluate', ...evaluate }) as Promise<Details>;
  }

  async setContext(context: Context): Promise<void> {
    await this.#place.obey({ command: 'setContext', context });
  }

  /** The first event of that name which nobody has waited for yet; those before it are dropped. */
  waitForEvent(event: EventName): Promise<ProviderEvent> {
    return this.#place.obey({ command: 'waitForEvent', event }) as Promise<ProviderEvent>;
  }

  /** Shuts the SDK down, then ends the place. */
  async stop(): Promise<void> {
    try {
      await this.#place.obey({ command: 'shutdown' });
    } finally {
      await this.#place.end();
    }
  }
}
