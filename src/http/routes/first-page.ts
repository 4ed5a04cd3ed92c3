/** The releases in the answer of a write: those that the detail shows when nothing is asked for. */
export const firstPage = {
  cursor: null,
  limit: 20,
  sent: {},
  includePrereleases: false,
  includeCoverage: false,
} as const;
