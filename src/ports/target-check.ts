/** Says where a connection may go (contract 13.12). */
export interface TargetCheck {
  readonly vet: (
    url: string,
  ) => Promise<
    | { readonly kind: 'allowed'; readonly addresses: readonly string[] | null }
    | { readonly kind: 'refused'; readonly reason: string }
  >;
}
