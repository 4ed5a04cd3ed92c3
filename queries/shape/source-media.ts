import type { SourceDocument } from '../../projections/source/source.ts';

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** The store listing of an app store source, as far as its metadata tell. */
export const appStoreOf = ({ type, metadata }: SourceDocument): { platform: string; iconUrl: string | null } | null => {
  const { platform, iconUrl } = objectOf(metadata['appStore']);
  if (type !== 'appstore' || typeof platform !== 'string') return null;
  return { platform, iconUrl: typeof iconUrl === 'string' ? iconUrl : null };
};

/** Where a video source is hosted. */
export const videoOf = ({ type, metadata }: SourceDocument): { provider: string } | null => {
  const { provider } = objectOf(metadata['video']);
  return type === 'video' && typeof provider === 'string' ? { provider } : null;
};
