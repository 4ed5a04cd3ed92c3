import { entitySections } from '../../queries/search/entity-sections.ts';
import { type Catalogue, createCatalogue } from '../../src/catalogue/catalogue.ts';
import { publicSourceFilter } from '../../src/catalogue/lists/part-facets.ts';
import { createEntitySearch } from '../../src/catalogue/search/entity-search.ts';
import { categories } from '../../src/domain/enumerations.ts';
import type { Figure } from './bench-report.ts';
import { inBenchFolder } from './worlds/bench-folder.ts';
import { createNamedRegistry, orgNames, sourceNames } from './worlds/named-registry.ts';
import { percentile } from './worlds/percentile.ts';
import { createChance } from './worlds/seeded-data.ts';

const few = { orgs: 1_000, sources: 5_000, collections: 20, membersPerCollection: 20 };
const many = { orgs: 10_000, sources: 50_000, collections: 200, membersPerCollection: 20 };
const queriesCount = 200;
const rounds = 10;
const limit = 20;
const sectionsMsMax = 3;
const bytesPerEntityMax = 400;

const letters = [...'abcdefghijklmnopqrstuvwxyz'];
/** In the addresses of most sources, or what very many are called. */
const common = ['github', 'github.com', 'com', 'example', 'changelog', 'releases', 'blog'];

/** Each of ten kinds in turn, each time another one. */
const queryOf = (turn: number, { orgs, sources }: typeof many): string => {
  const { int, pick } = createChance(turn);
  const source = sourceNames(int(0, sources - 1), orgs);
  const org = orgNames(int(0, orgs - 1));
  const kinds = [
    () => pick(letters),
    () => pick(letters) + pick([...'aeiou']),
    () => pick(common),
    () => org.name,
    () => org.name.split(' ')[1]!,
    () => source.name,
    () => new URL(source.url).pathname.slice(1),
    () => source.name.slice(0, int(1, source.name.length)),
    () => pick(categories),
    () => `${org.slug} and nothing else`,
  ];
  return kinds[turn % kinds.length]!();
};

/** In the best of some rounds, of each: the first ones compile it, and in others the machine has something else to do. */
const timesOf = (catalogue: Catalogue, shape: typeof many): number[] => {
  const best = Array.from({ length: queriesCount }, () => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round += 1) {
    for (const [turn, bestMs] of best.entries()) {
      const q = queryOf(turn, shape);
      const startedMs = performance.now();
      entitySections({ catalogue }, { q, limit });
      best[turn] = Math.min(bestMs, performance.now() - startedMs);
    }
  }
  return best;
};

const cpuMsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const heapBytes = (): number => {
  gc!();
  return process.memoryUsage().heapUsed;
};

/** The index alone, made once more of what a catalogue has. */
const indexFigures = (catalogue: Catalogue, among: string): Figure[] => {
  const orgs = catalogue.orgs();
  const entities = orgs.length + catalogue.sourceList().count(publicSourceFilter);
  const beforeBytes = heapBytes();
  const before = process.cpuUsage();
  const search = createEntitySearch(catalogue, catalogue.collection);
  for (const { id } of orgs) search.orgChanged(id); // with all that is its own
  search.reads.orgsNamed('zzz', 1); // which builds what was only kept, of every tier
  search.reads.catalogNamed('zzz', 1);
  const madeMs = cpuMsSince(before);
  const bytes = heapBytes() - beforeBytes;
  if (search.reads.catalogNamed('github', 1).length === 0) throw new Error('the index of a bench has lost its sources');
  return [
    { metric: `names of one entity, ${among}`, value: bytes / entities, unit: 'bytes', atMost: bytesPerEntityMax },
    { metric: `names of all, ${among}`, value: bytes / 2 ** 20, unit: 'MiB' },
    { metric: `names of one entity brought in, ${among}`, value: (madeMs * 1_000) / entities, unit: 'µs of CPU' },
  ];
};

const figuresOf = (shape: typeof many): Promise<Figure[]> =>
  inBenchFolder(async (folder) => {
    const { models, close } = await createNamedRegistry(folder, shape);
    const among = `${shape.orgs} orgs, ${shape.sources} sources`;
    const before = process.cpuUsage();
    const catalogue = await createCatalogue(models);
    const loadMs = cpuMsSince(before);
    const { catalog } = entitySections({ catalogue }, { q: 'github', limit });
    if (catalog.length < limit) throw new Error('the catalogue of a bench does not find its sources'); // nothing is found fast
    const times = timesOf(catalogue, shape);
    const figures: Figure[] = [
      { metric: `entity sections, ${among}, p50`, value: percentile(times, 0.5), unit: 'ms' },
      { metric: `entity sections, ${among}, p95`, value: percentile(times, 0.95), unit: 'ms', atMost: sectionsMsMax },
      { metric: `entity sections, ${among}, longest`, value: percentile(times, 1), unit: 'ms' },
      { metric: `load of the catalogue, ${among}`, value: loadMs, unit: 'ms of CPU' },
      ...indexFigures(catalogue, among),
    ];
    await close();
    return figures;
  });

/** What is found by its name among few and among very many. */
export const runEntitySearch = async (): Promise<Figure[]> => [...(await figuresOf(few)), ...(await figuresOf(many))];
