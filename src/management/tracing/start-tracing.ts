/** Starts traces where a collector is named; without one, nothing of OpenTelemetry is loaded. */
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { ServeOptions } from '../serve/options.js';
import type { Tracing } from './tracing.js';

type TracingOptions = Pick<
  ServeOptions,
  'otlpUrl' | 'otlpHeadersFile' | 'otlpSample' | 'nodeName' | 'version'
>;

/** Null: no collector is named. */
export async function startTracing(options: TracingOptions, log: Logger): Promise<Tracing | null> {
  const { otlpUrl, otlpHeadersFile, otlpSample, nodeName, version } = options;
  if (otlpUrl === null) return null;
  const [{ OtlpSource }, { Tracing: Traces }] = await Promise.all([
    import('./otlp-source.js'),
    import('./tracing.js'),
  ]);
  const base = otlpUrl.endsWith('/') ? otlpUrl : `${otlpUrl}/`;
  const source = new OtlpSource({
    ...{ url: new URL('v1/traces', base).href, headersFile: otlpHeadersFile, log },
    ...{ sampledShare: otlpSample / 100, instance: nodeName ?? hostname(), version },
  });
  return new Traces(source);
}
