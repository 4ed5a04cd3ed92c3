/** The service cannot start. The message is a sentence for the operator: what is wrong, with what, and what to do. */
export class StartupError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartupError';
  }
}
