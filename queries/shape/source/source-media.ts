import type { SourceDocument } from '../../../projections/source/source.ts';
import {
  type AppStorePlatform,
  appStorePlatforms,
  type VideoProvider,
  videoProviders,
} from '../../../src/domain/enumerations.ts';
import { videoProviderOf } from '../../../src/domain/source/detect-type.ts';

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** Metadata is free text, so only what the interface names is taken for it. */
const namedIn = <Value extends string>(values: readonly Value[], sent: unknown): Value | undefined =>
  values.find((value) => value === sent);

/** The store listing of an app store source, as far as its metadata tell. */
export const appStoreOf = ({
  type,
  metadata,
}: SourceDocument): { platform: AppStorePlatform; iconUrl: string | null } | null => {
  const { platform: sent, iconUrl } = objectOf(metadata['appStore']);
  const platform = namedIn(appStorePlatforms, sent);
  if (type !== 'appstore' || platform === undefined) return null;
  return { platform, iconUrl: typeof iconUrl === 'string' ? iconUrl : null };
};

/** Where a video source is hosted: as its metadata tell, else by its address. */
export const videoOf = ({ type, metadata, url }: SourceDocument): { provider: VideoProvider } | null => {
  if (type !== 'video') return null;
  const provider = namedIn(videoProviders, objectOf(metadata['video'])['provider']) ?? videoProviderOf(url);
  return provider && { provider };
};
