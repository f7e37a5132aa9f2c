/** An assistant: the client of the protocol's own SDK, which runs `loadout mcp` as a process and talks to it over its pipes. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { loadoutProgram } from './server/run-loadout.js';

export interface Result {
  readonly isError: boolean;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test says itself what it expects to be there.
  readonly json: any;
}

export class Assistant {
  readonly client: Client;

  private constructor(client: Client) {
    this.client = client;
  }

  /** Ends with the test. */
  static async start(url: string, token: string): Promise<Assistant> {
    const client = new Client({ name: 'test', version: '1.0.0' });
    onTestFinished(() => client.close());
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [loadoutProgram, 'mcp'],
        env: { PATH: process.env['PATH'] ?? '', LOADOUT_URL: url, LOADOUT_TOKEN: token },
        stderr: 'pipe',
      }),
    );
    return new Assistant(client);
  }

  /** Whatever it answers; `json` is null where it is an error or a part. */
  async try(name: string, args: Readonly<Record<string, unknown>>): Promise<Result> {
    const result = await this.client.callTool({ name, arguments: { ...args } });
    const [first] = result.content as { text: string }[];
    const text = first?.text ?? '';
    const data = text.slice(text.indexOf('\n') + 1);
    const isError = result.isError === true;
    const isPart = data.includes('\n[cut:') || Number(args['offset'] ?? 0) > 0;
    return { isError, text, json: isError || isPart ? null : JSON.parse(data) };
  }

  /** What it answers, which must be no error. */
  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<Result['json']> {
    const { isError, text, json } = await this.try(name, args);
    if (isError) throw new Error(`${name}: ${text}`);
    return json;
  }
}
