/** How searches, and looks for what is related, were answered: by all that there is, or why by less (contract 7.1, 7.4). */
export const searchOutcomes = [
  'whole',
  'not_configured',
  'embedding_unavailable',
  'vector_index_unavailable',
  'anchor_not_embedded',
] as const;

export type SearchOutcome = (typeof searchOutcomes)[number];
