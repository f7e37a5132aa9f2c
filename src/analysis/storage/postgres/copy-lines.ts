/** `COPY … FROM STDIN` of a file, which the driver itself does not do. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { ClientBase, Connection, Submittable } from 'pg';

/** What the driver's connection has beside its types. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
}

/** Each line becomes the text of a row of one column: no quote and no delimiter is in JSON. */
const wholeLines = `(FORMAT csv, QUOTE E'\\x01', DELIMITER E'\\x02')`;

/**
 * @param table with a single column
 * @param path of a file of JSON texts by line
 */
export function copyLines(client: ClientBase, table: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new LineCopy(`COPY ${table} FROM STDIN ${wholeLines}`, path, resolve, reject));
  });
}

/** The driver calls its methods by name as messages of the server come in. */
class LineCopy implements Submittable {
  readonly #sql: string;
  readonly #path: string;
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;
  #failure: Error | null = null;

  constructor(sql: string, path: string, resolve: () => void, reject: (error: Error) => void) {
    this.#sql = sql;
    this.#path = path;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: Connection): void {
    connection.query(this.#sql);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).then(
      () => connection.endCopyFrom(),
      (error: Error) => {
        this.#failure = error;
        connection.sendCopyFail('The rows cannot be read.');
      },
    );
  }

  async #send(connection: CopyConnection): Promise<void> {
    for await (const chunk of createReadStream(this.#path)) {
      if (!connection.stream.writable) return;
      connection.sendCopyFromChunk(chunk as Buffer);
      if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
    }
  }

  handleCommandComplete(): void {
    // `handleReadyForQuery` follows.
  }

  handleReadyForQuery(): void {
    this.#resolve();
  }

  handleError(error: Error): void {
    this.#reject(this.#failure ?? error);
  }
}
