/** The program that calls an SDK, as a process: a command per line of JSON, an outcome per line. */
import { LineProcess } from '../support/line-process.js';
import type { Sdk } from './sdks.js';

export interface ClientOptions {
  readonly apiKey: string;
  readonly userId?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly semVer?: string;
}

export interface ContentOptions {
  readonly refresh?: boolean;
  readonly serialized?: boolean;
  readonly fullResponse?: boolean;
}

/** A call of the SDK; `publish` writes a content, with the price 0. */
export type Call =
  | { readonly method: 'one'; readonly id: string; readonly options?: ContentOptions }
  | {
      readonly method: 'several';
      readonly ids: readonly string[];
      readonly options?: ContentOptions;
    }
  | { readonly method: 'publish'; readonly id: string };

/** `request`: the SDK's error for a status of 4xx; `contents`: its error for single contents of a response. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly error: string; readonly message: string };

const driverMillisMax = 600_000;

export class Driver {
  readonly #process: LineProcess;

  /** Runs the driver of `sdk` with requests through `proxyUrl`, trusting the certificate at `certPath`. */
  constructor(sdk: Sdk, proxyUrl: string, certPath: string) {
    const host = { HTTPS_PROXY: proxyUrl, NO_PROXY: '', no_proxy: '' };
    this.#process = new LineProcess(sdk.driver, {
      env: { ...sdk.install(), ...host, [sdk.trustVariable]: certPath },
      millisMax: driverMillisMax,
    });
  }

  /** Throws with the driver's standard error when it ends or says nothing in time. */
  async call(client: ClientOptions, call: Call): Promise<Outcome> {
    return JSON.parse(await this.#process.ask({ client, ...call })) as Outcome;
  }

  stop(): void {
    this.#process.end();
  }
}
