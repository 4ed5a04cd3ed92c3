import type { TokenScope } from '../../../src/domain/enumerations.ts';
import { ingestInto } from '../worlds/ingest-into.ts';
import type { HttpService } from './http-service.ts';

type Creating = Pick<HttpService, 'create'>;

/** A machine token, as text to send. */
export const issueTestToken = async ({ create }: Creating, scope: TokenScope): Promise<string> =>
  (await create('/v1/tokens', { name: scope, scopes: [scope] })).token;

export const issueTestTokens = async (service: Creating) => ({
  reader: await issueTestToken(service, 'read'),
  writer: await issueTestToken(service, 'write'),
  admin: await issueTestToken(service, 'admin'),
});

export const createTestOrg = ({ create }: Creating, name: string, fields: object = {}) =>
  create('/v1/orgs', { name, ...fields });

/** A source with an address of its own; it stands alone unless the fields name an org. */
export const createTestSource = ({ create }: Creating, name: string, fields: object = {}) =>
  create('/v1/sources', { name, url: `https://example.com/${name.toLowerCase()}/changelog`, ...fields });

/** What releases need: an org, and a source of it. */
export async function createTestOrgWithSource(service: Creating, name: string) {
  const org = await createTestOrg(service, name);
  return { org, source: await createTestSource(service, name, { orgId: org.id }) };
}

/** A source of an org of its own, with releases an hour apart, oldest first. */
export async function createTestReleases(
  service: HttpService,
  name: string,
  count: number,
  fieldsOf: (index: number) => object = () => ({}),
) {
  const { org, source } = await createTestOrgWithSource(service, name);
  const items = Array.from({ length: count }, (_, index) => ({
    title: `${name} ${index}`,
    version: `1.${index}.0`,
    publishedAt: new Date(Date.UTC(2026, 0, 1, index)).toISOString(),
    ...fieldsOf(index),
  }));
  return { org, source, items, ids: await ingestInto(service, source.id, items) };
}
