import type { Resolver } from '../../../src/ports/resolver.ts';
import type { HttpService } from '../http/http-service.ts';

/** Host names of tests and where they lead; any other has no address. */
const hosts: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946'],
  'inside.example.com': ['93.184.216.34', '10.0.0.7'],
};

export const testResolver: Resolver = { addresses: async (hostName) => hosts[hostName] ?? [] };

export const hookUrl = 'https://hooks.example.com/in';

/** An org with a product and two sources, of which one is of the product; and another org. */
export async function createWebhookWorld({ post }: Pick<HttpService, 'post'>) {
  const acme = (await post('/v1/orgs', { name: 'Acme', domain: 'acme.example' })).body;
  const other = (await post('/v1/orgs', { name: 'Other' })).body;
  const kit = (await post('/v1/products', { name: 'Kit', orgId: acme.id })).body;
  const stranger = (await post('/v1/products', { name: 'Stranger', orgId: other.id })).body;
  const source = async (name: string, fields: object) =>
    (await post('/v1/sources', { name, url: `https://acme.example/${name}`, ...fields })).body;
  return {
    acme: acme as { id: string; slug: string },
    other: other as { id: string; slug: string },
    kit: kit as { id: string; slug: string },
    stranger: stranger as { id: string; slug: string },
    news: (await source('News', { orgId: acme.id, productId: kit.id })) as { id: string; slug: string },
    blog: (await source('Blog', { orgId: acme.id })) as { id: string; slug: string },
    foreign: (await source('Foreign', { orgId: other.id })) as { id: string; slug: string },
  };
}

export type WebhookWorld = Awaited<ReturnType<typeof createWebhookWorld>>;
