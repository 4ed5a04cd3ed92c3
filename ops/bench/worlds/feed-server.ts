import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FeedServer {
  readonly url: string;
  /** How often each path was asked for. */
  readonly asked: ReadonlyMap<string, number>;
}

const itemOf = (path: string, number: number): string =>
  `<item><guid isPermaLink="false">${path} ${number}</guid><title>v1.${number}.0</title>` +
  `<pubDate>${new Date(Date.UTC(2026, 0, 1 + number)).toUTCString()}</pubDate>` +
  `<description>&lt;p&gt;Fixed the thing ${number} that was broken in ${path}, and made it faster.&lt;/p&gt;</description></item>`;

/** Any path is a feed of its own with a few releases. */
export async function withFeedServer<Result>(
  itemsEach: number,
  work: (server: FeedServer) => Promise<Result>,
): Promise<Result> {
  const asked = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const items = Array.from({ length: itemsEach }, (_, number) => itemOf(path, number)).join('');
    response.writeHead(200, { 'content-type': 'application/rss+xml', etag: `"${path}"` });
    response.end(
      `<rss version="2.0"><channel><title>${path}</title><link>https://example.com${path}</link>${items}</channel></rss>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
