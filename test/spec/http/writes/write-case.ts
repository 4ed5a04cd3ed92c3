import type { HttpService } from '../http-service.ts';
import { createTestOrg, createTestSource } from '../preamble.ts';
import { hookUrl } from '../../worlds/webhook-world.ts';

export interface WriteRequest {
  /** Below `/v1`. */
  readonly path: string;
  readonly body?: object;
  /** The path of what it works on, if the case says that there is such a thing. */
  readonly subject?: string;
}

/** One route that writes, as the contract has it: nothing of this is taken from the route itself. */
export interface WriteCase {
  readonly needs: 'credential' | 'write' | 'admin';
  /** What of the body needs admin where the rest does not, with a value that is valid. */
  readonly adminFields?: object;
  /** Parameters of the query of which the same is true. */
  readonly adminQuery?: readonly string[];
  /** What can be done to the thing that it works on: deleted it is 404 for all, hidden for all but admins. */
  readonly subject?: 'deletable' | 'hideable';
  /** Creates or enqueues, so that a repeat with the same Idempotency-Key is done once. */
  readonly idempotent?: true;
  /** A request that is done as it stands, on things of its own. */
  readonly request: (make: Maker) => Promise<WriteRequest>;
}

/** By method and path, as the route table has them. */
export type WriteCases = Readonly<Record<string, WriteCase>>;

/** Makes things that nothing else has touched. */
export const createMaker = (service: Pick<HttpService, 'call' | 'create' | 'patch' | 'post' | 'remove'>) => {
  let made = 0;
  const name = (): string => {
    made += 1;
    return `Made-${made}`;
  };
  const org = () => createTestOrg(service, name());
  const stub = () => {
    const own = name();
    const locations = [{ url: `https://${own.toLowerCase()}.example/news` }];
    return service.create('/v1/orgs/stub', { name: own, domain: `${own.toLowerCase()}.example`, locations });
  };
  const product = async () => {
    const { id: orgId, slug: orgSlug } = await org();
    return { ...(await service.create('/v1/products', { name: name(), orgId })), orgSlug };
  };
  const source = async () => {
    const { id: orgId, slug: orgSlug } = await org();
    return { ...(await createTestSource(service, name(), { orgId })), orgSlug };
  };
  const release = async () => {
    const { id: sourceId } = await source();
    return { ...(await service.create(`/v1/sources/${sourceId}/releases`, { title: name() })), sourceId };
  };
  return {
    name,
    org,
    stub,
    product,
    source,
    release,
    collection: () => service.create('/v1/collections', { name: name() }),
    token: () => service.create('/v1/tokens', { name: name(), scopes: ['read'] }),
    webhook: async () => service.create('/v1/webhooks', { url: hookUrl, orgId: (await org()).id }),
    patch: service.patch,
    post: service.post,
    put: (path: string, body: object) => service.call('PUT', path, { body }),
    remove: service.remove,
  };
};

export type Maker = ReturnType<typeof createMaker>;
