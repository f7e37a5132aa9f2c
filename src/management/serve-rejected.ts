/** The server cannot start as configured; the message says what to change. */
export class ServeRejected extends Error {
  readonly code = 'serve_refused';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServeRejected';
  }
}
