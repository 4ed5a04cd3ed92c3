/**
 * What a search answers of each hit. The server keeps the name of a document with its texts and vectors, packed, and to unpack
 * them for each hit takes longer than to find it; what it sorts and filters by stands apart.
 */
export const byId = { _source: false, stored_fields: '_none_', docvalue_fields: ['id'] } as const;

export interface HitById {
  readonly fields: { readonly id?: readonly string[] };
}

export const idOf = ({ fields }: HitById): string => {
  const [id] = fields.id ?? [];
  if (id === undefined) throw new Error('OpenSearch found a document without an id.');
  return id;
};
