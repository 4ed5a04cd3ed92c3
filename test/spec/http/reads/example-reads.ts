import { expect } from 'vitest';
import { type Operation, operationsOf, type Parameter, seedExamples, withIds } from '../example-registry.ts';
import { type HttpAnswer, rootApiKey, startHttpService } from '../http-service.ts';

type ServiceOptions = Parameters<typeof startHttpService>[0];

export interface Expected {
  readonly status: number;
  readonly code?: string;
}

/** A registry that holds what the examples of the document speak of, and everything in the document that reads. */
export async function openExampleReads(options: ServiceOptions = {}) {
  const service = await startHttpService({ allowPrivateTargets: true, ...options });
  const idsHere = await seedExamples(service);
  const operations = operationsOf((await service.get('/v1/openapi.json')).body);
  const problems: string[] = [];

  const ask = (operation: Operation, path: string): Promise<HttpAnswer> =>
    service.get(withIds(idsHere, path), { key: operation.isPublic ? null : rootApiKey });

  return {
    service,
    reads: operations.filter(({ method }) => method === 'GET'),
    /** The text with the ids of here instead of those that the document made up. */
    here: (text: string): string => withIds(idsHere, text),
    ask,
    tell: (problem: string): void => void problems.push(problem),
    /** Told with all others of a test: one that is wrong is seldom the only one. */
    expectAnswer: async (operation: Operation, path: string, { status, code }: Expected): Promise<void> => {
      const answer = await ask(operation, path);
      const given = answer.body?.error?.code;
      if (answer.status !== status || (code !== undefined && given !== code)) {
        problems.push(`${path.slice(0, 120)}: ${answer.status} ${given ?? ''} and not ${status} ${code ?? ''}`);
      }
    },
    expectNoProblems: () => expect(problems.splice(0)).toEqual([]),
    close: () => service.close(),
  };
}

export type ExampleReads = Awaited<ReturnType<typeof openExampleReads>>;

/** All but the one that says 403 to whoever may not use it, whatever its value (contract 1.4). */
export const queryParameters = ({ parameters }: Operation): Parameter[] =>
  parameters.filter(({ in: place, name }) => place === 'query' && name !== 'trackingRequested');
