/** Fresh identifiers; fixed in tests. */
export interface Ids {
  /** A random UUID. */
  readonly commandId: () => string;
  /** A UUID that no other process gives; those of one process may be foreseen. */
  readonly requestId: () => string;
}
