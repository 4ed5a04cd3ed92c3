import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { withChild } from './bench-child.ts';

/** What was asked for until now. */
export interface AskedFeeds {
  readonly feeds: number;
  /** Those that were asked for more than once. */
  readonly twice: number;
}

export interface FeedServer {
  readonly url: string;
  readonly asked: () => Promise<AskedFeeds>;
}

const itemOf = (path: string, number: number): string =>
  `<item><guid isPermaLink="false">${path} ${number}</guid><title>v1.${number}.0</title>` +
  `<pubDate>${new Date(Date.UTC(2026, 0, 1 + number)).toUTCString()}</pubDate>` +
  `<description>&lt;p&gt;Fixed the thing ${number} that was broken in ${path}, and made it faster.&lt;/p&gt;</description></item>`;

const askedPath = '/asked';

/** Any other path than that of the counts is a feed of its own with a few releases. */
async function startFeeds(itemsEach: number): Promise<string> {
  const counts = new Map<string, number>();
  const asked = (): AskedFeeds => ({
    feeds: counts.size,
    twice: [...counts.values()].filter((count) => count > 1).length,
  });
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === askedPath) return void response.end(JSON.stringify(asked()));
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const items = Array.from({ length: itemsEach }, (_, number) => itemOf(path, number)).join('');
    response.writeHead(200, { 'content-type': 'application/rss+xml', etag: `"${path}"` });
    response.end(
      `<rss version="2.0"><channel><title>${path}</title><link>https://example.com${path}</link>${items}</channel></rss>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const feedServerAt = (url: string): FeedServer => ({
  url,
  asked: async () => (await (await fetch(url + askedPath)).json()) as AskedFeeds,
});

/** In a process of its own, as feeds lie elsewhere: whoever measures here waits for the service alone. */
export const withFeedServer = <Result>(
  itemsEach: number,
  work: (server: FeedServer) => Promise<Result>,
): Promise<Result> =>
  withChild([fileURLToPath(import.meta.url)], {}, async ({ send, firstLine }) => {
    send(String(itemsEach));
    return work(feedServerAt(await firstLine));
  });

async function serveFeeds(itemsEach: number): Promise<void> {
  process.stdout.write(`${await startFeeds(itemsEach)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = createInterface(process.stdin);
  lines.once('line', (line) => void serveFeeds(Number(line)));
  lines.once('close', () => process.exit()); // whoever started it is gone
}
