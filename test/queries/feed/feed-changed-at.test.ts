import { afterEach, beforeEach, expect, it } from 'vitest';
import { feedChangesProjection } from '../../../projections/feed-changes/feed-changes.ts';
import { feedChangedMs } from '../../../queries/feed/feed-changed-at.ts';
import { openProjectedRegistry, type ProjectedRegistry } from '../../spec/worlds/projected-registry.ts';
import { orgIdOf, orgStream } from '../../spec/worlds/sample-registry.ts';

const names = Array.from({ length: 200 }, (_, number) => `org${number}`);
const hiddenAt = '2026-02-01T00:00:00.000Z';

let registry: ProjectedRegistry;
let queries = 0;

beforeEach(async () => {
  queries = 0;
  registry = await openProjectedRegistry([feedChangesProjection]);
  await registry.recordMany(names.map((name) => orgStream(name)));
  await registry.record(`org-${orgIdOf('org199')}`, [{ type: 'OrgHidden.v1', data: {} }], { recordedAt: hiddenAt });
});
afterEach(() => registry.close());

const changedMs = (orgs: readonly string[]): Promise<number> => {
  const model = registry.models.of(feedChangesProjection);
  const query: typeof model.query = (asked) => {
    queries += 1;
    return model.query(asked);
  };
  const models = { of: () => ({ ...model, query }) } as Pick<typeof registry.models, 'of'>;
  return feedChangedMs({ models }, { entities: [], orgs: orgs.map(orgIdOf) });
};

it('goes by its own orgs, each of which is asked for once', async () => {
  expect(await changedMs(['org1', 'org2', 'org2'])).toBe(0);
  expect(queries).toBe(2);
  expect(await changedMs(['org1', 'org199'])).toBe(Date.parse(hiddenAt));
});

it('of very many goes by the last change of all, which proves less and costs the same', async () => {
  expect(await changedMs(names.slice(0, 150))).toBe(Date.parse(hiddenAt));
  expect(queries).toBe(1);
});
