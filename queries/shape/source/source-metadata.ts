import type { SourceDocument } from '../../../projections/source/source.ts';
import { publicMetadata } from '../../../src/domain/source/metadata.ts';

/** JSON text of the keys that the caller may see, null when there are none. */
export const metadataText = ({ metadata }: SourceDocument, admin: boolean): string | null => {
  const shown = admin ? metadata : publicMetadata(metadata);
  return Object.keys(shown).length === 0 ? null : JSON.stringify(shown);
};

export const metadataString = ({ metadata }: SourceDocument, key: string): string | null => {
  const value = metadata[key];
  return typeof value === 'string' ? value : null;
};
