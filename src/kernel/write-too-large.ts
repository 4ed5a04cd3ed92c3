import type { Backend } from './backend-unavailable.ts';

/** The server does not take so much in one write, now or later. Nothing was written; parts of it may be taken. */
export class WriteTooLarge extends Error {
  constructor(backend: Backend, options?: ErrorOptions) {
    super(`${backend} does not take so much in one write`, options);
    this.name = 'WriteTooLarge';
  }
}
