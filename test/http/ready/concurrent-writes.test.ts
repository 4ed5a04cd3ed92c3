import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, startHttpService } from '../../spec/http/http-service.ts';
import { createTestReleases } from '../../spec/http/preamble.ts';
import { createSeeded, type Seeded } from '../../spec/seeded.ts';
import { seedsToRun } from '../../spec/seeds.ts';
import { openTestBackends } from '../../spec/servers/test-backends.ts';

const writesOfEach = 15;
const readersOfEach = 1;

type Owned = Awaited<ReturnType<typeof createTestReleases>>;

let service: HttpService;
/** Another process, which leaves the projecting to the service. */
let elsewhere: HttpService;

beforeAll(async () => {
  const backends = await openTestBackends();
  service = await startHttpService({ backends });
  elsewhere = await startHttpService({ backends: { ...backends, close: async () => {} }, roles: ['http'] });
});
afterAll(async () => {
  await elsewhere.close();
  await service.close();
});

/** What one writer has told the service. Its facts only ever grow, so that an answer may be newer than what is known here. */
interface Told {
  /** By release: the number in its title, as far as that was acknowledged. */
  readonly titles: Map<string, number>;
  /** Taken down or erased, as far as that was acknowledged. */
  readonly gone: Set<string>;
  /** The same, whether acknowledged or not: such a release may be shown or not. */
  readonly going: Set<string>;
  /** The number in the name of the org. */
  name: number;
  /** What is hidden, as far as that was acknowledged, and how often it was begun or acknowledged to hide it, or to show it again. */
  hidden: 'nothing' | 'source' | 'org';
  turns: number;
  /** What was known when each write was acknowledged, the oldest first. */
  readonly past: { readonly atMs: number; readonly known: Known }[];
}

/** What was acknowledged at a moment. */
interface Known extends Pick<Told, 'name' | 'hidden' | 'turns'> {
  readonly titles: ReadonlyMap<string, number>;
  readonly gone: ReadonlySet<string>;
}

const copyOf = ({ titles, gone, name, hidden, turns }: Told): Known => ({
  titles: new Map(titles),
  gone: new Set(gone),
  name,
  hidden,
  turns,
});

/** Not even whether it is there: nothing was hidden that often. */
const nothing: Known = { titles: new Map(), gone: new Set(), name: 0, hidden: 'nothing', turns: -1 };

/** Whether it is known if something is hidden: nobody has begun to hide it, or to show it again, since. */
const isHidingKnown = (known: Known, told: Told): boolean => known.turns === told.turns && known.turns % 2 === 0;

/** What another process writes is seen within that time. */
const seenElsewhereMs = 1_000;

const knownElsewhere = ({ past }: Told): Known =>
  past.findLast(({ atMs }) => atMs <= performance.now() - seenElsewhereMs)?.known ?? nothing;

/** Where a reader asks, and what an answer must show that is asked for now. */
interface Place {
  readonly place: 'here' | 'there';
  readonly get: HttpService['get'];
  readonly mustShow: (told: Told) => Known;
}

const here: Place = { place: 'here', get: (path) => service.get(path), mustShow: copyOf };
const there: Place = { place: 'there', get: (path) => elsewhere.get(path), mustShow: knownElsewhere };

async function acknowledged(write: Promise<HttpAnswer>): Promise<HttpAnswer> {
  const answer = await write;
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

/** Null shows again what was hidden. */
async function hide({ org, source }: Owned, told: Told, hidden: 'source' | 'org' | null): Promise<void> {
  const which = hidden ?? told.hidden;
  told.turns += 1;
  const path = which === 'org' ? `/v1/orgs/${org.id}` : `/v1/sources/${source.id}`;
  await acknowledged(service.patch(path, { isHidden: hidden !== null }));
  told.hidden = hidden ?? 'nothing';
  told.turns += 1;
  told.past.push({ atMs: performance.now(), known: copyOf(told) });
}

async function hideForAMoment(of: Owned, told: Told, random: Seeded): Promise<void> {
  const reader = { ...here, owned: of, told, random };
  for (const hidden of [random.pick(['source', 'org'] as const), null]) {
    await hide(of, told, hidden);
    for (const read of reads) expect((await read(reader)).faults).toEqual([]);
  }
}

async function writeOnce(of: Owned, told: Told, random: Seeded, number: number): Promise<void> {
  const { org, source } = of;
  const here = [...told.titles.keys()].filter((id) => !told.going.has(id));
  const kind = here.length < 3 ? 0 : random.int(0, 5);
  const id = here.length === 0 ? '' : random.pick(here);
  if (kind === 0) {
    const releases = [{ title: `Title ${number}`, version: `2.${number}.0` }];
    const { body } = await acknowledged(service.post(`/v1/sources/${source.id}/releases/batch`, { releases }));
    told.titles.set(body.insertedIds[0], number);
  } else if (kind === 1) {
    await acknowledged(service.patch(`/v1/orgs/${org.id}`, { name: `Name ${number}` }));
    told.name = number;
  } else if (kind === 2) {
    await acknowledged(service.patch(`/v1/releases/${id}`, { title: `Title ${number}` }));
    told.titles.set(id, number);
  } else if (kind === 5) {
    await hideForAMoment(of, told, random);
  } else {
    told.going.add(id);
    const takeDown = () => service.post(`/v1/releases/${id}/suppress`, { reason: 'a test' });
    await acknowledged(kind === 3 ? takeDown() : service.remove(`/v1/releases/${id}`));
    told.gone.add(id);
  }
}

const numberIn = (text: string): number => Number(/\d+$/.exec(text)?.[0]);

interface ListedRelease {
  readonly id: string;
  readonly title: string;
}

/** What an answer shows that was no longer so when it was asked for. */
function staleIn(listed: readonly ListedRelease[], known: Known): string[] {
  return listed.flatMap(({ id, title }) => [
    ...(known.gone.has(id) ? [`${id} is still there`] : []),
    ...(numberIn(title) < (known.titles.get(id) ?? 0) ? [`${id} is still called ${title}`] : []),
  ]);
}

/** What is shown though it is hidden. */
function shownIn(listed: readonly ListedRelease[], known: Known, told: Told): string[] {
  if (known.hidden === 'nothing' || !isHidingKnown(known, told)) return [];
  return listed
    .filter(({ id }) => told.titles.has(id))
    .map(({ id }) => `${id} is shown though its ${known.hidden} is hidden`);
}

const isShown = (known: Known, told: Told): boolean => known.hidden === 'nothing' && isHidingKnown(known, told);

/** What a whole list does not show yet. */
function missingIn(listed: readonly ListedRelease[], known: Known, told: Told): string[] {
  if (!isShown(known, told)) return [];
  const shown = new Set(listed.map(({ id }) => id));
  return [...known.titles.keys()].filter((id) => !shown.has(id) && !told.going.has(id)).map((id) => `${id} is missing`);
}

interface Reader extends Place {
  readonly owned: Owned;
  readonly told: Told;
  readonly random: Seeded;
}

type Read = (reader: Reader) => Promise<{ readonly faults: string[]; readonly isHit: boolean }>;

const answered = (answer: HttpAnswer, faults: string[]) => ({
  faults,
  isHit: answer.headers.get('x-cache') === 'HIT',
});

const listAt =
  (pathOf: (owned: Owned) => string, isWhole = true): Read =>
  async ({ owned: of, told, get, mustShow }) => {
    const known = mustShow(told);
    const answer = await get(pathOf(of));
    const { releases = [] } = answer.body as { readonly releases?: readonly ListedRelease[] };
    const faults = [...staleIn(releases, known), ...shownIn(releases, known, told)];
    return answered(answer, [...faults, ...(isWhole ? missingIn(releases, known, told) : [])]);
  };

const readOrg: Read = async ({ owned: { org }, told, get, mustShow }) => {
  const known = mustShow(told);
  const answer = await get(`/v1/orgs/${org.id}`);
  if (answer.status !== 200) {
    return answered(answer, isShown(known, told) ? [`${org.id} is missing: ${answer.status} ${answer.text}`] : []);
  }
  if (known.hidden === 'org' && isHidingKnown(known, told)) return answered(answer, [`${org.id} is hidden`]);
  return answered(answer, numberIn(answer.body.name) < known.name ? [`${org.id} is still ${answer.body.name}`] : []);
};

const readRelease: Read = async ({ told, random, get, mustShow }) => {
  const known = mustShow(told);
  const id = random.pick([...told.titles.keys()]);
  const answer = await get(`/v1/releases/${id}`);
  const isMissing = answer.status !== 200 && isShown(known, told) && known.titles.has(id) && !told.going.has(id);
  const shown = answer.status === 200 ? [answer.body as ListedRelease] : [];
  return answered(answer, [
    ...(isMissing ? [`${id} is missing: ${answer.status} ${answer.text}`] : []),
    ...staleIn(shown, known),
    ...shownIn(shown, known, told),
  ]);
};

const reads: readonly Read[] = [
  listAt(({ source }) => `/v1/sources/${source.id}/releases?limit=100`),
  listAt(({ org }) => `/v1/orgs/${org.id}/releases?limit=100`),
  listAt(() => '/v1/releases/latest', false),
  readOrg,
  readRelease,
];

async function write(of: Owned, told: Told, seed: number): Promise<void> {
  const random = createSeeded(seed);
  told.past.push({ atMs: performance.now(), known: copyOf(told) }); // what was there before the first write
  for (let turn = 1; turn <= writesOfEach; turn += 1) {
    await writeOnce(of, told, random, 100 + turn);
    told.past.push({ atMs: performance.now(), known: copyOf(told) });
  }
  await hide(of, told, random.pick(['source', 'org'])); // and stays so, for those who read elsewhere
}

const title = 'an answer shows all that was acknowledged before it was asked for, elsewhere a second before (seed %i)';

it.each(seedsToRun(1))(title, async (seed) => {
  const names = ['Acme', 'Beta', 'Gamma'].map((name) => `${name}-${seed}`);
  const owned = await Promise.all(names.map((name) => createTestReleases(service, name, 4)));
  const faults: string[] = [];
  const counts = { here: { reads: 0, hits: 0 }, there: { reads: 0, hits: 0 } };
  const allTold = owned.map(
    ({ ids }): Told => ({
      titles: new Map(ids.map((id) => [id, 0])),
      gone: new Set(),
      going: new Set(),
      name: 0,
      hidden: 'nothing',
      turns: 0,
      past: [],
    }),
  );
  let writing = owned.length;
  const readAlong = async (reader: Reader, isOver: () => boolean, counted: { reads: number; hits: number }) => {
    while (!isOver()) {
      const { faults: found, isHit } = await reader.random.pick(reads)(reader);
      faults.push(...found.map((fault) => `${reader.place}: ${fault}`));
      counted.reads += 1;
      if (isHit) counted.hits += 1;
    }
  };
  const isWritten = () => writing === 0;
  /** Few answers are still good when the next one asks for them, as long as something is written. */
  const isMet = () => isWritten() && counts.here.hits > 0;
  /** Whoever reads elsewhere reads on until the last write must have been seen there, and a little longer. */
  const isSeen = ({ past }: Told) => isWritten() && past.at(-1)!.atMs + 1.2 * seenElsewhereMs < performance.now();
  await Promise.all(
    owned.flatMap((of, index) => {
      const told = allTold[index]!;
      const readerOf = (place: Place, reader: number): Reader => {
        return { ...place, owned: of, told, random: createSeeded(seed + 100 * (index + 1) + reader) };
      };
      return [
        write(of, told, seed + index).finally(() => (writing -= 1)),
        ...Array.from({ length: readersOfEach }, (_, reader) => readAlong(readerOf(here, reader), isMet, counts.here)),
        readAlong(readerOf(there, readersOfEach), () => isSeen(told), counts.there),
      ];
    }),
  );
  expect(faults.slice(0, 10)).toEqual([]);
  for (const { reads: asked, hits } of Object.values(counts)) {
    expect(asked).toBeGreaterThan(writesOfEach);
    expect(hits).toBeGreaterThan(0);
  }
});
