import type { CollectionEvent } from '../../../src/domain/collection/events.ts';
import { categories } from '../../../src/domain/enumerations.ts';
import { createEmbeddedReadModels } from '../../../src/adapters/embedded/read-models/read-models.ts';
import { systemClock as clock } from '../../../src/adapters/system/clock.ts';
import { catalogueReads } from '../../../src/catalogue/catalogue.ts';
import { toTimestamp } from '../../../src/kernel/dates.ts';
import type { DomainEvent, RecordedEvent } from '../../../src/kernel/event.ts';
import { derivedId } from '../../../src/kernel/ids.ts';
import type { ReadModel } from '../../../src/ports/read-models.ts';
import { foldBatch } from '../../../src/runtime/projector/fold-batch.ts';
import { createReadModelSet } from '../../../src/runtime/projector/read-model-set.ts';
import { orgCreated, orgIdOf, recorded, sourceCreated, sourceIdOf } from './grown-events.ts';
import { benchNowMs, createChance } from './seeded-data.ts';

const batchSize = 1_000;

export interface NamedShape {
  readonly orgs: number;
  readonly sources: number;
  readonly collections: number;
  readonly membersPerCollection: number;
}

const syllables = 'an,ba,co,der,el,flow,gra,ho,in,jet,ka,lo,mi,neo,or,pu,qua,re,so,tra,ul,ver,wi,xe,yo,zu'.split(',');
const chance = createChance(1);
/** As many as a language has that is used for names. */
const words = Array.from({ length: 4_000 }, () =>
  Array.from({ length: chance.int(2, 3) }, () => chance.pick(syllables)).join(''),
);

export interface Names {
  readonly name: string;
  readonly slug: string;
}

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Of one to three words; one in ten is called as very many others are. */
const namesOf = (seed: number): Names => {
  const { int, pick } = createChance(seed);
  if (int(1, 10) === 1) return { name: pick(['Changelog', 'Releases', 'Blog']), slug: pick(['changelog', 'releases']) };
  const chosen = Array.from({ length: int(1, 3) }, () => pick(words));
  return { name: chosen.map(capital).join(' '), slug: chosen.join('-') };
};

export const orgNames = (org: number): Names => {
  const { pick } = createChance(1_000_000 + org);
  const chosen = [pick(words), pick(words)];
  return { name: chosen.map(capital).join(' '), slug: `${chosen.join('-')}-${org}` };
};

/** Seven in ten are repositories. */
export const sourceNames = (source: number, orgs: number): Names & { readonly url: string } => {
  const names = namesOf(source);
  const owner = orgNames(source % orgs).slug;
  const url = source % 10 < 7 ? `https://github.com/${owner}/${names.slug}` : `https://${owner}.example/${names.slug}`;
  return { ...names, url };
};

function* eventsOf({ orgs, sources, collections, membersPerCollection }: NamedShape): Generator<RecordedEvent> {
  let position = 0;
  const next = (stream: string, event: DomainEvent) => recorded((position += 1), stream, event);
  for (let org = 0; org < orgs; org += 1) {
    const { type, data } = orgCreated(org);
    const names = orgNames(org);
    const category = categories[org % categories.length]!;
    yield next(`org-${orgIdOf(org)}`, { type, data: { ...data, ...names, category, domain: `${names.slug}.example` } });
  }
  for (let collection = 0; collection < collections; collection += 1) {
    const { int } = createChance(collection);
    const members = Array.from({ length: membersPerCollection }, () => ({
      id: orgIdOf(int(0, orgs - 1)),
      position: null,
    }));
    const shown = { description: null, isFeatured: false, createdAt: toTimestamp(benchNowMs) };
    const stream = `collection-${derivedId('col', String(collection))}`;
    const created: CollectionEvent = { type: 'CollectionCreated.v1', data: { ...namesOf(-collection), ...shown } };
    yield next(stream, created);
    yield next(stream, { type: 'CollectionMembersReplaced.v1', data: { members } });
  }
  for (let source = 0; source < sources; source += 1) {
    const { type, data } = sourceCreated(source, orgIdOf(source % orgs));
    yield next(`source-${sourceIdOf(source)}`, { type, data: { ...data, ...sourceNames(source, orgs) } });
  }
}

/** The read models of a registry whose entities are called as people call theirs; none of them has a release. */
export async function createNamedRegistry(folder: string, shape: NamedShape) {
  const readModels = await createEmbeddedReadModels({ folder, clock });
  const opened: ReadModel[] = [];
  for (const projection of catalogueReads) {
    const model = await readModels.open(projection);
    opened.push(model);
    const lease = await model.leases.acquire('feed', 'bench', 3_600_000);
    if (lease === null) throw new Error('the read models of a bench have one writer');
    const events = [...eventsOf(shape)];
    for (let from = 0; from < events.length; from += batchSize) {
      const batch = events.slice(from, from + batchSize);
      const known = batch.filter(({ type }) => projection.on[type] !== undefined);
      const changes = await foldBatch(projection, model, known);
      await model.write({ changes, position: batch.at(-1)!.position, lease });
    }
  }
  return { models: createReadModelSet(opened), close: () => readModels.close() };
}
