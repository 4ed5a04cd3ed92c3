import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { fastify } from 'fastify';
import { withChild } from './bench-child.ts';
import { inBenchFolder } from './bench-folder.ts';

/** As much of a release in `/v1/releases/latest` as is told apart here; the rest is a column, or put together. */
interface Item {
  readonly [field: string]: unknown;
  readonly source: Readonly<Record<string, unknown>>;
  readonly org: Readonly<Record<string, unknown>>;
}

export interface PlainWorld {
  readonly orgs: number;
  readonly sourcesPerOrg: number;
  readonly releases: number;
  readonly bodyChars: number;
  /** What the registry answers: the releases of this service are like these. */
  readonly items: readonly Item[];
}

/**
 * What a team writes by hand on its first day, in a process of its own: three tables, two joins, an object for each row.
 * It answers the newest releases in the shape of the registry, out of as many.
 */
export const withPlainService = <Result>(
  world: PlainWorld,
  work: (server: { readonly port: number; readonly pid: number }) => Promise<Result>,
): Promise<Result> =>
  inBenchFolder((folder) =>
    withChild([fileURLToPath(import.meta.url), folder], {}, async ({ send, firstLine, pid }) => {
      send(JSON.stringify(world));
      return work({ port: Number(await firstLine), pid });
    }),
  );

const schema = `
  CREATE TABLE orgs (id TEXT PRIMARY KEY, slug TEXT, name TEXT, avatarUrl TEXT, githubHandle TEXT, hidden INTEGER);
  CREATE TABLE sources (id TEXT PRIMARY KEY, orgId TEXT, slug TEXT, name TEXT, type TEXT, kind TEXT, hidden INTEGER);
  CREATE TABLE releases (
    id TEXT PRIMARY KEY, sourceId TEXT, version TEXT, title TEXT, summary TEXT, content TEXT, publishedAt TEXT,
    fetchedAt TEXT, url TEXT, webUrl TEXT, media TEXT, type TEXT, prerelease INTEGER, titleGenerated TEXT, titleShort TEXT,
    breaking TEXT, importance INTEGER, composition TEXT, contentChars INTEGER, contentTokens INTEGER,
    coverageCount INTEGER, coverageOf TEXT, suppressed INTEGER
  );
  CREATE INDEX newest ON releases (publishedAt DESC, id);`;

const latest = `
  SELECT r.id, r.sourceId, r.version, r.title, r.summary, r.publishedAt, r.fetchedAt, r.url, r.webUrl, r.media, r.type,
    r.prerelease, r.titleGenerated, r.titleShort, r.breaking, r.importance, r.composition, r.contentChars, r.contentTokens,
    r.coverageCount, r.coverageOf, s.slug AS sourceSlug, s.name AS sourceName, s.type AS sourceType, s.kind AS sourceKind,
    o.id AS orgId, o.slug AS orgSlug, o.name AS orgName, o.avatarUrl, o.githubHandle
  FROM releases r JOIN sources s ON s.id = r.sourceId JOIN orgs o ON o.id = s.orgId
  WHERE r.publishedAt <= ? AND r.prerelease = 0 AND r.suppressed = 0 AND r.coverageOf IS NULL
    AND s.hidden = 0 AND o.hidden = 0
  ORDER BY r.publishedAt DESC, r.id LIMIT ?`;

type Row = Readonly<Record<string, string | number | null>>;

const parsed = (json: Row[string]): unknown => (json === null ? null : JSON.parse(String(json)));

const itemOf = (row: Row) => ({
  id: row['id'],
  version: row['version'],
  title: row['title'],
  summary: row['summary'],
  description: row['summary'],
  publishedAt: row['publishedAt'],
  fetchedAt: row['fetchedAt'],
  url: row['url'],
  webUrl: row['webUrl'],
  media: parsed(row['media']!),
  type: row['type'],
  prerelease: row['prerelease'] === 1,
  titleGenerated: row['titleGenerated'],
  titleShort: row['titleShort'],
  breaking: row['breaking'],
  importance: row['importance'],
  composition: parsed(row['composition']!),
  contentChars: row['contentChars'],
  contentTokens: row['contentTokens'],
  coverageCount: row['coverageCount'],
  coverageOf: row['coverageOf'],
  orgId: row['orgId'],
  productId: null,
  sourceId: row['sourceId'],
  source: {
    id: row['sourceId'],
    slug: row['sourceSlug'],
    name: row['sourceName'],
    type: row['sourceType'],
    kind: row['sourceKind'],
    orgSlug: row['orgSlug'],
    orgName: row['orgName'],
  },
  org: {
    id: row['orgId'],
    slug: row['orgSlug'],
    name: row['orgName'],
    avatarUrl: row['avatarUrl'],
    githubHandle: row['githubHandle'],
  },
  product: null,
  groupSlug: row['sourceSlug'],
  groupName: row['sourceName'],
});

/** The columns of a table from an object of the same names. */
const insertInto = (database: Sqlite.Database, table: string) => {
  const columns = database.pragma(`table_info(${table})`) as { readonly name: string }[];
  const places = columns.map(({ name }) => `@${name}`).join(', ');
  return database.prepare<[object]>(`INSERT INTO ${table} VALUES (${places})`);
};

function fill(database: Sqlite.Database, { orgs, sourcesPerOrg, releases, bodyChars, items }: PlainWorld): void {
  const [org, source, release] = ['orgs', 'sources', 'releases'].map((table) => insertInto(database, table)) as [
    Sqlite.Statement<[object]>,
    Sqlite.Statement<[object]>,
    Sqlite.Statement<[object]>,
  ];
  const template = (number: number): Item => items[number % items.length]!;
  const numbered = (id: unknown, number: number): string =>
    `${String(id).slice(0, -7)}${String(number).padStart(7, '0')}`;
  const orgId = (number: number) => numbered(template(0).org['id'], number);
  const sourceId = (number: number) => numbered(template(0).source['id'], number);
  for (let number = 0; number < orgs; number += 1) {
    org.run({ ...template(number).org, id: orgId(number), slug: `org-${number}`, hidden: 0 });
  }
  const sources = orgs * sourcesPerOrg;
  for (let number = 0; number < sources; number += 1) {
    source.run({ ...template(number).source, id: sourceId(number), orgId: orgId(number % orgs), hidden: 0 });
  }
  for (let number = 0; number < releases; number += 1) {
    const item = template(number);
    release.run({
      ...item,
      id: numbered(item['id'], number),
      sourceId: sourceId((number * 7_919) % sources), // so that neighbours in time are of different sources
      publishedAt: new Date(Date.UTC(2025, 0, 1) - number * 60_000).toISOString(),
      media: JSON.stringify(item['media']),
      composition: item['composition'] === null ? null : JSON.stringify(item['composition']),
      content: 'x'.repeat(bodyChars),
      prerelease: number % 10 === 0 ? 1 : 0,
      suppressed: 0,
    });
  }
}

async function serve(folder: string, world: PlainWorld): Promise<void> {
  const database = new Sqlite(join(folder, 'plain.sqlite'));
  database.pragma('journal_mode = WAL');
  database.exec(schema);
  database.transaction(() => fill(database, world))();
  // No ANALYZE: with its statistics SQLite makes Bloom filters of all orgs and sources for each question, which takes longer.
  const newest = database.prepare<[string, number], Row>(latest);
  const service = fastify();
  service.get<{ Querystring: { count: number } }>(
    '/v1/releases/latest',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: { count: { type: 'integer', minimum: 1, maximum: 100, default: 10 } },
        },
      },
    },
    ({ query }) => ({ releases: newest.all(new Date().toISOString(), query.count).map(itemOf) }),
  );
  const address = await service.listen({ port: 0, host: '127.0.0.1' });
  process.stdout.write(`${new URL(address).port}\n`);
}

const [, program, ownFolder] = process.argv;
if (program === fileURLToPath(import.meta.url) && ownFolder !== undefined) {
  const lines = createInterface(process.stdin);
  lines.once('line', (line) => void serve(ownFolder, JSON.parse(line) as PlainWorld));
  lines.once('close', () => process.exit()); // whoever started it is gone
}
