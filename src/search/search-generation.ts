/** Raised when documents or their words change: all are made anew beside what is there. */
export const searchGenerated = { name: 'search', generation: 3 } as const;

/** Older code does not know what it would have to write: it says so, and how to go on. */
export const newerIndexSentence =
  'it was made by a newer version of the service, and this one does not feed it; start the newer version, or make one by this: registry rebuild search';
