import type { SourceDocument } from '../../../projections/source/source.ts';

const publicKeys = new Set(['feedUrl', 'feedType', 'githubUrl', 'changelogUrl', 'appStore', 'video', 'packages']);

export const shownMetadata = (metadata: SourceDocument['metadata'], admin: boolean): Record<string, unknown> =>
  Object.fromEntries(Object.entries(metadata).filter(([key]) => admin || publicKeys.has(key)));

/** JSON text of the keys that the caller may see, null when there are none. */
export const metadataText = (source: SourceDocument, admin: boolean): string | null => {
  const shown = shownMetadata(source.metadata, admin);
  return Object.keys(shown).length === 0 ? null : JSON.stringify(shown);
};

export const metadataString = ({ metadata }: SourceDocument, key: string): string | null => {
  const value = metadata[key];
  return typeof value === 'string' ? value : null;
};
