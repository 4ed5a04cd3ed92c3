import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HttpAnswer, type HttpService, startHttpService } from '../../spec/http/http-service.ts';
import { createTestReleases } from '../../spec/http/preamble.ts';
import { createSeeded, type Seeded } from '../../spec/seeded.ts';

const writesOfEach = 40;
const readersOfEach = 3;

type Owned = Awaited<ReturnType<typeof createTestReleases>>;

let service: HttpService;
let owned: readonly Owned[];

beforeAll(async () => {
  service = await startHttpService();
  owned = await Promise.all(['Acme', 'Beta', 'Gamma'].map((name) => createTestReleases(service, name, 4)));
});
afterAll(() => service.close());

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
}

/** What was acknowledged when a request began. */
interface Known extends Pick<Told, 'name'> {
  readonly titles: ReadonlyMap<string, number>;
  readonly gone: ReadonlySet<string>;
}

const copyOf = ({ titles, gone, name }: Told): Known => ({ titles: new Map(titles), gone: new Set(gone), name });

async function acknowledged(write: Promise<HttpAnswer>): Promise<HttpAnswer> {
  const answer = await write;
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer;
}

async function writeOnce({ org, source }: Owned, told: Told, random: Seeded, number: number): Promise<void> {
  const here = [...told.titles.keys()].filter((id) => !told.going.has(id));
  const kind = here.length < 3 ? 0 : random.int(0, 4);
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

/** What a whole list does not show yet. */
function missingIn(listed: readonly ListedRelease[], known: Known, told: Told): string[] {
  const shown = new Set(listed.map(({ id }) => id));
  return [...known.titles.keys()].filter((id) => !shown.has(id) && !told.going.has(id)).map((id) => `${id} is missing`);
}

type Read = (
  owned: Owned,
  told: Told,
  random: Seeded,
) => Promise<{ readonly faults: string[]; readonly isHit: boolean }>;

const answered = (answer: HttpAnswer, faults: string[]) => ({
  faults,
  isHit: answer.headers.get('x-cache') === 'HIT',
});

const listAt =
  (pathOf: (owned: Owned) => string, isWhole = true): Read =>
  async (of, told) => {
    const known = copyOf(told);
    const answer = await service.get(pathOf(of));
    const { releases } = answer.body as { readonly releases: readonly ListedRelease[] };
    return answered(answer, [...staleIn(releases, known), ...(isWhole ? missingIn(releases, known, told) : [])]);
  };

const readOrg: Read = async ({ org }, told) => {
  const known = copyOf(told);
  const answer = await service.get(`/v1/orgs/${org.id}`);
  return answered(answer, numberIn(answer.body.name) < known.name ? [`${org.id} is still ${answer.body.name}`] : []);
};

const readRelease: Read = async (_, told, random) => {
  const known = copyOf(told);
  const id = random.pick([...known.titles.keys()]);
  const answer = await service.get(`/v1/releases/${id}`);
  const isMissing = answer.status !== 200 && !told.going.has(id);
  return answered(
    answer,
    isMissing ? [`${id} is missing`] : answer.status === 200 ? staleIn([answer.body], known) : [],
  );
};

const reads: readonly Read[] = [
  listAt(({ source }) => `/v1/sources/${source.id}/releases?limit=100`),
  listAt(({ org }) => `/v1/orgs/${org.id}/releases?limit=100`),
  listAt(() => '/v1/releases/latest', false),
  readOrg,
  readRelease,
];

it('an answer shows all that was acknowledged before it was asked for, while others write and read', async () => {
  const faults: string[] = [];
  const counts = { hits: 0, reads: 0 };
  let writing = owned.length;
  const write = async (of: Owned, told: Told, seed: number): Promise<void> => {
    const random = createSeeded(seed);
    for (let turn = 1; turn <= writesOfEach; turn += 1) await writeOnce(of, told, random, 100 + turn);
  };
  const readAlong = async (of: Owned, told: Told, seed: number): Promise<void> => {
    const random = createSeeded(seed);
    while (writing > 0) {
      const { faults: found, isHit } = await random.pick(reads)(of, told, random);
      faults.push(...found);
      counts.reads += 1;
      if (isHit) counts.hits += 1;
    }
  };
  await Promise.all(
    owned.flatMap((of, index) => {
      const told: Told = { titles: new Map(of.ids.map((id) => [id, 0])), gone: new Set(), going: new Set(), name: 0 };
      const writer = write(of, told, index).finally(() => (writing -= 1));
      const seeds = Array.from({ length: readersOfEach }, (_, reader) => 100 * (index + 1) + reader);
      return [writer, ...seeds.map((seed) => readAlong(of, told, seed))];
    }),
  );
  expect(faults).toEqual([]);
  expect(counts.reads).toBeGreaterThan(writesOfEach);
  expect(counts.hits).toBeGreaterThan(0);
});
