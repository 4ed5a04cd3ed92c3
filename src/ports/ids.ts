/** Fresh identifiers; fixed in tests. */
export interface Ids {
  /** A random UUID. */
  readonly commandId: () => string;
}
