import { fileURLToPath } from 'node:url';
import { withChild } from './bench-child.ts';

const entry = fileURLToPath(new URL('../../../test/standin/eventstoredb/standin-child.js', import.meta.url));

/** Calls the work with the address of a stand-in of EventStoreDB, which is a process of its own and holds nothing yet. */
export const withStandin = <Result>(work: (url: string) => Promise<Result>): Promise<Result> =>
  withChild([entry], {}, async ({ firstLine }) => {
    const { ports } = JSON.parse(await firstLine) as { ports: [number] };
    return work(`esdb://127.0.0.1:${ports[0]}?tls=false`);
  });
