/** The releases that a detail shows when nothing is asked for, as in the answer of a write. */
export const firstPage = {
  cursor: null,
  limit: 20,
  sent: {},
  includePrereleases: false,
  includeCoverage: false,
} as const;
