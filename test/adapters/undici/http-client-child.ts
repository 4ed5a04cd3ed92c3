import { createHttpClient } from '../../../src/adapters/undici/http-client.ts';
import { HttpFailure, type HttpRequest } from '../../../src/ports/http-client.ts';
import { eventually } from '../../spec/eventually.ts';

// Asks each URL at this machine and prints a line for each; then closes the client, which must leave nothing behind.
const client = createHttpClient();
const limits: Omit<HttpRequest, 'url'> = {
  method: 'GET',
  headers: {},
  connectTo: ['127.0.0.1'],
  timeoutMs: 3_000,
  bodyBytesMax: 1_000,
};
for (const url of process.argv.slice(2)) {
  const line = await client.send({ ...limits, url }).then(
    ({ status }) => String(status),
    (error: unknown) => (error instanceof HttpFailure ? error.reason : String(error)),
  );
  process.stdout.write(`${line}\n`);
}
await client.close();
// The driver would give a connection that is being opened more time than this.
const isLeft = (): boolean => process.getActiveResourcesInfo().some((resource) => /^(TCP|TLS)/.test(resource));
await eventually('no connection is left', () => !isLeft(), { withinMs: 5_000 });
