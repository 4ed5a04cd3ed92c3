import { githubCoordinate } from '../../domain/source/github-coordinate.ts';
import { hyphenated, isReservedSlug, slugCandidates } from '../../kernel/slugs.ts';
import { cutText } from '../../kernel/text-rules.ts';
import { type ChangelogEntry, changelogEntries } from '../changelog/changelog-entries.ts';
import type { ImportedSource } from './imported-source.ts';
import { type PackageManifest, readPackageManifest } from './package-manifest.ts';

/** A changelog as it was found on a disk. */
export interface ChangelogFile {
  /** As a report names it. */
  readonly path: string;
  /** What to call the thing when no package.json does. */
  readonly folderName: string;
  /** What to call its org then. */
  readonly rootName: string;
  readonly text: string;
  /** The package.json that the file belongs to, parsed; null when there is none. */
  readonly manifest: unknown;
}

export interface PlannedSource extends ImportedSource {
  readonly path: string;
  readonly entries: readonly ChangelogEntry[];
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

export interface ImportPlanOptions {
  /** Puts everything below this org. */
  readonly orgSlug?: string | undefined;
  /** Where something lives that has no address of its own. */
  readonly webBaseUrl: string;
}

/** Of orgs and sources. */
const nameCharsMax = 120;

/** The first that is free to use: the same for the same name at every import. */
const stableSlug = (entity: 'org' | 'source', name: string, taken: ReadonlySet<string>): string | undefined =>
  hyphenated(name) === ''
    ? undefined
    : slugCandidates(name).find((slug) => !isReservedSlug(entity, slug) && !taken.has(slug));

/** The owner of the repository, else the scope or name of the package, else where the file was found. */
const orgNameOf = ({ name, repositoryUrl }: PackageManifest, rootName: string): string => {
  const owner = repositoryUrl === null ? undefined : githubCoordinate(repositoryUrl)?.split('/')[0];
  return owner ?? name?.replace(/^@/, '').split('/')[0] ?? rootName;
};

const packageUrl = (name: string): string => `https://www.npmjs.com/package/${name}`;

function addressOf(manifest: PackageManifest, homeUrl: string): Pick<PlannedSource, 'url' | 'type'> {
  const { repositoryUrl, homepage, name } = manifest;
  const url = repositoryUrl ?? homepage ?? (name === null ? null : packageUrl(name));
  // What has no address is never fetched, so its page here stands for it.
  return url === null ? { url: homeUrl, type: 'agent' } : { url };
}

export interface ImportPlanner {
  readonly plan: (file: ChangelogFile) => PlannedSource | SkippedFile;
}

/**
 * Says what to create and ingest for one file after the other. Nothing is known here of what the registry holds. Slugs
 * depend only on the files, in their order, so that a second import finds what the first one made.
 */
export function createImportPlanner({ orgSlug, webBaseUrl }: ImportPlanOptions): ImportPlanner {
  const fileOfPackage = new Map<string, string>();
  const slugsOfOrg = new Map<string, Set<string>>();
  return {
    plan: ({ path, folderName, rootName, text, manifest: json }) => {
      const manifest = readPackageManifest(json);
      const earlier = manifest.name === null ? undefined : fileOfPackage.get(manifest.name);
      if (earlier !== undefined) return { path, reason: `the releases of ${manifest.name} are taken from ${earlier}` };
      const entries = changelogEntries(text);
      if (entries.length === 0) return { path, reason: 'no heading names a version or a date' };

      const name = manifest.name ?? folderName;
      const orgName = orgSlug ?? orgNameOf(manifest, rootName);
      const org = orgSlug ?? stableSlug('org', orgName, new Set());
      const taken = slugsOfOrg.get(org ?? '') ?? new Set();
      const slug = stableSlug('source', name, taken);
      if (org === undefined || slug === undefined) {
        return { path, reason: `no slug can be made of "${org === undefined ? orgName : name}"` };
      }
      slugsOfOrg.set(org, taken.add(slug));
      if (manifest.name !== null) fileOfPackage.set(manifest.name, path);
      return {
        path,
        org: { slug: org, name: cutText(orgName, nameCharsMax) },
        slug,
        name: cutText(name, nameCharsMax),
        ...addressOf(manifest, `${webBaseUrl}/${org}/${slug}`),
        packages: manifest.name === null ? [] : [{ ecosystem: 'npm', name: manifest.name }],
        entries,
      };
    },
  };
}
