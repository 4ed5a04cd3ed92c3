/** The closed sets of the interface. Each is a tuple, so that schemas and types come from the same line. */
export const categories = [
  'ai',
  'cloud',
  'commerce',
  'crm',
  'database',
  'design',
  'developer-tools',
  'devops',
  'finance',
  'framework',
  'infrastructure',
  'observability',
  'productivity',
  'security',
] as const;
export const kinds = ['platform', 'sdk', 'mobile', 'desktop', 'docs', 'integration', 'tool'] as const;
export const sourceTypes = ['github', 'scrape', 'feed', 'agent', 'appstore', 'video'] as const;
export const discoveries = ['curated', 'agent', 'on_demand'] as const;
export const orgStatuses = ['stub', 'tracked'] as const;
export const fetchPriorities = ['normal', 'low', 'paused'] as const;
export const releaseTypes = ['feature', 'rollup'] as const;
export const breakingVerdicts = ['unknown', 'none', 'minor', 'major'] as const;
export const mediaTypes = ['image', 'video', 'gif'] as const;
export const appStorePlatforms = ['ios', 'macos'] as const;
export const videoProviders = ['youtube', 'vimeo', 'wistia'] as const;
export const locationBases = ['curator', 'declared', 'detected', 'generated'] as const;
export const packageEcosystems = ['npm', 'pypi'] as const;
export const ecosystems = [...packageEcosystems, 'github'] as const;
export const tokenScopes = ['read', 'write', 'admin'] as const;
export const webhookFormats = ['json', 'slack', 'discord'] as const;
export const principalTypes = ['internal', 'agent', 'user'] as const;
export const summaryTypes = ['rolling', 'monthly'] as const;
export const noticePlacements = ['home', 'banner'] as const;

export type Category = (typeof categories)[number];
export type Kind = (typeof kinds)[number];
export type SourceType = (typeof sourceTypes)[number];
export type Discovery = (typeof discoveries)[number];
export type OrgStatus = (typeof orgStatuses)[number];
export type FetchPriority = (typeof fetchPriorities)[number];
export type ReleaseType = (typeof releaseTypes)[number];
export type Breaking = (typeof breakingVerdicts)[number];
export type MediaType = (typeof mediaTypes)[number];
export type AppStorePlatform = (typeof appStorePlatforms)[number];
export type VideoProvider = (typeof videoProviders)[number];
export type LocationBasis = (typeof locationBases)[number];
export type PackageEcosystem = (typeof packageEcosystems)[number];
export type Ecosystem = (typeof ecosystems)[number];
export type TokenScope = (typeof tokenScopes)[number];
export type WebhookFormat = (typeof webhookFormats)[number];
export type PrincipalType = (typeof principalTypes)[number];
export type NoticePlacement = (typeof noticePlacements)[number];
export type SummaryType = (typeof summaryTypes)[number];
