import { expect } from 'vitest';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { createHttpApp } from '../../../src/compose/http-app.ts';
import { type GithubStandin, startGithubStandin } from '../../standin/github/github-standin.ts';
import { gatedEventStore } from '../gated-event-store.ts';
import {
  type HttpService,
  noLookups,
  rootApiKey,
  startHttpService,
  webBaseUrl,
  wideLimits,
} from '../http/http-service.ts';
import { serveApp } from '../http/serve-app.ts';
import { createKeptLog } from '../kept-log.ts';
import { mortalSteps } from '../mortal-steps.ts';
import { createTestRunners } from './embedded-registry.ts';

export interface LookupWorld {
  readonly github: GithubStandin;
  readonly service: HttpService;
  /** Another process on the same stores; from a step on, none of its calls reaches them any more. */
  readonly startProcess: (dieAt?: number) => Promise<LookupProcess>;
  /** How many orgs and sources were ever made for an owner. */
  readonly madeFor: (owner: string) => Promise<[orgs: number, sources: number]>;
  readonly close: () => Promise<void>;
}

export interface LookupProcess {
  readonly lookUp: (coordinate: string) => Promise<{ status: number; body: ReturnType<typeof JSON.parse> }>;
  readonly steps: () => number;
  readonly close: () => Promise<void>;
}

/** What every repository here has released. */
export const threeReleases = [{ tag: 'v3' }, { tag: 'v2' }, { tag: 'v1' }];

/** The answer of a lookup of `<owner>/kit` that was done to its end. */
export const wholeLookup = (owner: string) => ({
  source: { orgSlug: owner, slug: 'kit', isHidden: true, releaseCount: 3, lastFetchedAt: expect.any(String) },
  relatedOrg: { slug: owner },
});

/** Processes that look things up at a stand-in of GitHub. */
export async function openLookupWorld(): Promise<LookupWorld> {
  const github = await startGithubStandin();
  const lookups = { ...noLookups, githubApiUrl: github.url };
  const service = await startHttpService({ lookups });
  const { registry } = service;

  async function startProcess(dieAt = Number.POSITIVE_INFINITY): Promise<LookupProcess> {
    const { step, gatedOps, count } = mortalSteps(dieAt);
    const eventStore = gatedEventStore(registry.eventStore, step);
    const app = await createHttpApp(
      {
        ...registry,
        ...createTestRunners(eventStore, systemClock),
        eventStore,
        ops: gatedOps(registry.ops),
        log: createKeptLog(),
      },
      {
        rootApiKey,
        secretKey: new Uint8Array(32).fill(7),
        webBaseUrl,
        trustedOrigins: [],
        lookups,
        rateLimits: wideLimits,
      },
    );
    const { url, close } = await serveApp(app);
    const lookUp = async (coordinate: string) => {
      const headers = { authorization: `Bearer ${rootApiKey}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ provider: 'github', coordinate });
      const answer = await fetch(`${url}/v1/lookups`, { method: 'POST', headers, body });
      return { status: answer.status, body: JSON.parse(await answer.text()) };
    };
    return { lookUp, close, steps: count };
  }

  async function madeFor(owner: string): Promise<[orgs: number, sources: number]> {
    const types = ['OrgCreated.v1', 'SourceCreated.v1'];
    const { events } = await registry.eventStore.readAll({ afterPosition: 0, limit: 10_000, types });
    const made = events.map(({ type, data }) => ({ type, data: data as { slug: string; url?: string } }));
    return [
      made.filter(({ type, data }) => type === 'OrgCreated.v1' && data.slug.startsWith(owner)).length,
      made.filter(({ data }) => data.url === `https://github.com/${owner}/kit`).length,
    ];
  }

  return {
    github,
    service,
    startProcess,
    madeFor,
    close: async () => {
      await service.close();
      await github.close();
    },
  };
}
