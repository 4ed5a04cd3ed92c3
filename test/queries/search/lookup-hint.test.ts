import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lookupHint, lookupHintReads } from '../../../queries/search/lookup-hint.ts';
import { lookupHint as answer } from '../../../src/http/answers/search-entities.ts';
import { openSampleRegistry, orgIdOf, type SampleRegistry, sourceIdOf } from '../../spec/worlds/sample-registry.ts';

let registry: SampleRegistry;

beforeEach(async () => {
  registry = await openSampleRegistry(lookupHintReads);
  await registry.addOrg('acme');
});
afterEach(() => registry.close());

const hint = async (q: string, admin = false) => {
  await registry.catalogue.refresh();
  return answer.nullable().parse(await lookupHint(registry, { q }, { admin }));
};
const repository = (coordinate: string) => ({ type: 'github' as const, url: `https://github.com/${coordinate}` });

describe('the hint of a search for a repository', () => {
  it('leads to its source, however it is spelled', async () => {
    await registry.addSource('code', 'acme', repository('Acme-Inc/Rocket.js'));
    const found = { provider: 'github', status: 'tracked', sourceId: sourceIdOf('code'), orgSlug: 'acme' };
    for (const q of ['acme-inc/rocket.js', ' ACME-INC/Rocket.js ', 'github:acme-inc/rocket.js']) {
      expect(await hint(q)).toEqual({ ...found, coordinate: q.trim().replace('github:', '') });
    }
  });

  it('leads to a source that only says where its repository is', async () => {
    await registry.addSource('blog', null, { metadata: { githubUrl: 'https://github.com/acme/blog' } });
    const found = { status: 'tracked', sourceId: sourceIdOf('blog'), orgSlug: null };
    expect(await hint('acme/blog')).toMatchObject(found);
  });

  it('says that there is none, and who the owner is', async () => {
    const none = { provider: 'github', status: 'untracked', sourceId: null };
    expect(await hint('nobody/rocket')).toEqual({ ...none, coordinate: 'nobody/rocket', orgSlug: null });
    expect(await hint('Acme/rocket')).toEqual({ ...none, coordinate: 'Acme/rocket', orgSlug: 'acme' });
  });

  it('takes no org for the owner that has another account', async () => {
    const link = (type: string, handle: string) =>
      registry.record(`org-${orgIdOf('acme')}`, [{ type, data: { platform: 'github', handle, linkedAt: 'x' } }]);
    await link('OrgAccountLinked.v1', 'acme-inc');
    expect(await hint('acme/rocket')).toMatchObject({ orgSlug: null });
    await link('OrgAccountUnlinked.v1', 'acme-inc');
    await link('OrgAccountLinked.v1', 'ACME');
    expect(await hint('acme/rocket')).toMatchObject({ orgSlug: 'acme' });
  });

  it('tells of what is hidden to admins only, and of what is deleted to nobody', async () => {
    await registry.addSource('code', 'acme', repository('acme/rocket'));
    const [tracked, untracked] = [
      { status: 'tracked', sourceId: sourceIdOf('code') },
      { status: 'untracked', sourceId: null },
    ];
    await registry.source('code', 'Hidden');
    expect(await hint('acme/rocket')).toMatchObject({ ...untracked, orgSlug: 'acme' });
    expect(await hint('acme/rocket', true)).toMatchObject({ ...tracked, orgSlug: 'acme' });
    await registry.source('code', 'Unhidden');
    await registry.org('acme', 'Hidden');
    expect(await hint('acme/rocket')).toMatchObject({ ...untracked, orgSlug: null });
    expect(await hint('acme/rocket', true)).toMatchObject({ ...tracked, orgSlug: 'acme' });
    await registry.org('acme', 'Unhidden');
    await registry.source('code', 'Deleted');
    expect(await hint('acme/rocket', true)).toMatchObject({ ...untracked, orgSlug: 'acme' });
  });

  it('is not there for anything else', async () => {
    const names = ['acme', 'acme/', '/rocket', 'a/b/c', '@acme/rocket', 'acme rocket', 'acme/ro cket'];
    const addresses = ['../..', 'acme/..', '-/x', 'https://github.com/acme/rocket'];
    for (const q of [...names, ...addresses]) expect(await hint(q), q).toBeNull();
  });
});
