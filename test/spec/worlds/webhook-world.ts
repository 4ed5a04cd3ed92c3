import type { Resolver } from '../../../src/ports/resolver.ts';
import type { HttpService } from '../http/http-service.ts';
import { createTestOrg, createTestSource } from '../http/preamble.ts';

/** Host names of tests and where they lead; any other has no address. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'inside.example.com': ['93.184.216.34', '10.0.0.7'],
};

export const testResolver: Resolver = { addresses: async (hostName) => hosts[hostName] ?? [] };

export const hookUrl = 'https://hooks.example.com/in';

/** An org with a product and two sources, of which one is of the product; and another org. */
export async function createWebhookWorld(service: Pick<HttpService, 'create'>) {
  const acme = await createTestOrg(service, 'Acme', { domain: 'acme.example' });
  const other = await createTestOrg(service, 'Other');
  const kit = await service.create('/v1/products', { name: 'Kit', orgId: acme.id });
  const stranger = await service.create('/v1/products', { name: 'Stranger', orgId: other.id });
  const news = await createTestSource(service, 'News', { orgId: acme.id, productId: kit.id });
  const blog = await createTestSource(service, 'Blog', { orgId: acme.id });
  const foreign = await createTestSource(service, 'Foreign', { orgId: other.id });
  return { acme, other, kit, stranger, news, blog, foreign } as Readonly<
    Record<'acme' | 'other' | 'kit' | 'stranger' | 'news' | 'blog' | 'foreign', { id: string; slug: string }>
  >;
}

export type WebhookWorld = Awaited<ReturnType<typeof createWebhookWorld>>;
