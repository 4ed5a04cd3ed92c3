export type Backend = 'EventStoreDB' | 'MongoDB' | 'Kafka' | 'OpenSearch';

/**
 * A server that the service stands on cannot be reached, or has not answered in time. It may be back at any moment: who
 * works on its own waits and goes on, who was asked says so. What was being written may or may not be stored; the same
 * write with the same ids finds out.
 */
export class BackendUnavailable extends Error {
  readonly backend: Backend;

  constructor(backend: Backend, options?: ErrorOptions) {
    super(`${backend} cannot be reached`, options);
    this.name = 'BackendUnavailable';
    this.backend = backend;
  }
}

/** The server is there, but others keep what was to be written. Nothing was written; it can be tried again like above. */
export class BackendBusy extends BackendUnavailable {
  constructor(backend: Backend, options?: ErrorOptions) {
    super(backend, options);
    this.name = 'BackendBusy';
    this.message = `${backend} is busy: a write waits for another one`;
  }
}
