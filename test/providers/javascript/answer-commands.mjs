/** The driver protocol (driver.ts): a command per line on standard input, an answer per line on standard output. */
import { createInterface } from 'node:readline';

/**
 * Answers each command with the result of the handler of its name, one after the other, until the input ends.
 * @param {Readonly<Record<string, (command: any) => unknown>>} handlers
 */
export async function answerCommands(handlers) {
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line);
    let answer;
    try {
      const handler = handlers[command.command];
      if (handler === undefined) throw new Error(`no such command: ${command.command}`);
      answer = { result: (await handler(command)) ?? null };
    } catch (error) {
      answer = { error: String(error?.stack ?? error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}
