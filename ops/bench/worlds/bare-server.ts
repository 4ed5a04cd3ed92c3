import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { withChild } from './bench-child.ts';
import type { HttpReply } from './http-connection.ts';

/** Names and values in turn, the body in Base64. */
interface BareAnswer {
  readonly headers: string[];
  readonly body: string;
}

/** Node sends these on its own. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive']);

const headersOf = (head: string): string[] =>
  head
    .split('\r\n')
    .slice(1)
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
    .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
    .flat();

export interface BareServer {
  readonly port: number;
  readonly pid: number;
}

/** A `node:http` server in a process of its own that does nothing but send this answer again. */
export const withBareServer = <Result>({ head, body }: HttpReply, work: (server: BareServer) => Promise<Result>) =>
  withChild([fileURLToPath(import.meta.url)], {}, async ({ send, firstLine, pid }) => {
    const answer: BareAnswer = { headers: headersOf(head), body: body.toString('base64') };
    send(JSON.stringify(answer));
    return work({ port: Number(await firstLine), pid });
  });

function serveAnswer({ headers, body }: BareAnswer): void {
  const bytes = Buffer.from(body, 'base64');
  const server = createServer((_, response) => void response.writeHead(200, headers).end(bytes));
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = createInterface(process.stdin);
  lines.once('line', (line) => serveAnswer(JSON.parse(line) as BareAnswer));
  lines.once('close', () => process.exit()); // whoever started it is gone
}
