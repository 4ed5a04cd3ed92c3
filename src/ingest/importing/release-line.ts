import { z } from 'zod';
import { sourceTypes } from '../../domain/enumerations.ts';
import { entityName } from '../../domain/filled-text.ts';
import { type ReleaseItem, releaseItem } from '../../domain/release/fields.ts';
import { packageList } from '../../domain/source/packages.ts';
import { httpUrl } from '../../domain/web-address.ts';
import { isId } from '../../kernel/ids.ts';
import { issuePath } from '../../kernel/parse-input.ts';
import { slug } from '../../kernel/slugs.ts';
import { cleanedLine, cleanedText } from '../clean-text.ts';
import type { ImportedSource } from './imported-source.ts';

const sourceById = z.string().refine((id) => isId('src', id), { error: 'must be the id of a source (src_…)' });

const sourceByPlace = z.strictObject({
  /** Absent: a source of its own. */
  org: slug.optional(),
  slug,
  name: entityName.optional(),
  url: httpUrl.optional(),
  type: z.enum(sourceTypes).optional(),
  packages: packageList.optional(),
});

/** An item as the batch route takes it, and where it belongs. */
const releaseLine = releaseItem.extend({ source: z.union([sourceById, sourceByPlace]) });

export interface ReleaseLine {
  readonly source: ImportedSource;
  readonly item: ReleaseItem;
}

export interface UnusableLine {
  readonly reason: string;
}

/** What people read; addresses, dates and names of things are refused where they hold what they must not. */
const cleaners = new Map([
  ...['title', 'titleGenerated', 'titleShort', 'version', 'name', 'alt'].map((key) => [key, cleanedLine] as const),
  ...['content', 'summary', 'migrationNotes'].map((key) => [key, cleanedText] as const),
]);

/** Whoever wrote the file has it from third parties, so it is cleaned as what is fetched from them. */
const cleaned = (key: string, value: unknown): unknown =>
  typeof value === 'string' ? (cleaners.get(key)?.(value) ?? value) : value;

const issuesShown = 3;

const nowhere = { org: null, slug: '', name: '', url: '', packages: [] } as const;

function placeOf(source: z.output<typeof releaseLine>['source'], webBaseUrl: string): ImportedSource {
  if (typeof source === 'string') return { ...nowhere, id: source };
  const { org, slug: name, url, type, packages = [] } = source;
  return {
    org: org === undefined ? null : { slug: org, name: org },
    slug: name,
    name: source.name ?? name,
    packages,
    // What has no address is never fetched, so its page here stands for it.
    url: url ?? `${webBaseUrl}/${org === undefined ? 'source' : org}/${name}`,
    ...(type === undefined ? url === undefined && { type: 'agent' as const } : { type }),
  };
}

/** One line of a file of releases, each of which is a JSON object. */
export function readReleaseLine(text: string, webBaseUrl: string): ReleaseLine | UnusableLine {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''), cleaned);
  } catch (error) {
    if (error instanceof SyntaxError) return { reason: 'it is not JSON' };
    throw error;
  }
  const parsed = releaseLine.safeParse(json);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, issuesShown);
    return { reason: issues.map(({ path, message }) => `${issuePath(path) || 'the line'}: ${message}`).join('; ') };
  }
  const { source, ...item } = parsed.data;
  return { source: placeOf(source, webBaseUrl), item };
}
