import { z } from 'zod';
import { textDigest } from '../../domain/text-digest.ts';
import { serviceName, serviceVersion } from '../../kernel/service-version.ts';
import { answerFailure } from '../answer-failure.ts';
import { FetchFailed } from '../fetch-failed.ts';
import { createRobotsCheck, type RobotsDeps } from '../robots/robots-check.ts';
import type { FetchedSource, FetchMemory, SourceFetcher } from '../source-fetcher.ts';
import { askThirdParty } from '../third-party.ts';
import { conditionsFrom, validatorsIn } from '../validators.ts';
import { pageEntries } from './page-entries.ts';
import { pageText } from './page-text.ts';
import { type ScrapeRules, scrapeRulesOf } from './scrape-rules.ts';

/** Contract 15.1. */
const pageBytesMax = 10 * 1024 * 1024;

const validator = z.string().nullable().catch(null);
const stored = z.object({
  /** Of the address and the rules: what was read by others says nothing. */
  way: z.string().nullable().catch(null),
  etag: validator,
  lastModified: validator,
  digest: z.string().nullable().catch(null),
});

const digestOf = (value: unknown): string | null => textDigest(JSON.stringify(value))?.hash ?? null;

type Remembered = z.output<typeof stored>;

const nothingKnown: Remembered = { way: null, etag: null, lastModified: null, digest: null };

function recall(memory: FetchMemory, url: string, rules: ScrapeRules | null): Remembered {
  const way = digestOf([url, rules]);
  const parsed = stored.safeParse(memory);
  return parsed.success && parsed.data.way === way ? parsed.data : { ...nothingKnown, way };
}

/** Reads pages that are changelogs, as far as the robots rules of their sites let it. */
export function createScrapeFetcher(deps: RobotsDeps): SourceFetcher {
  const { clock } = deps;
  const robots = createRobotsCheck(deps);
  const common = {
    'user-agent': `${serviceName}/${serviceVersion}`,
    accept: 'text/html, application/xhtml+xml;q=0.9',
  };

  return {
    fetch: async ({ url, metadata, memory }, deadlineMs): Promise<FetchedSource> => {
      const rules = scrapeRulesOf(metadata);
      const known = recall(memory, url, rules);
      const headers = { ...common, ...conditionsFrom(known) };
      const beforeAsking = (next: string) => robots.waitForLeave(next, deadlineMs);
      const request = { url, headers, deadlineMs, bodyBytesMax: pageBytesMax, beforeAsking };
      const answer = await askThirdParty(deps, request);
      const nothing = { isNew: false, items: [], leftOut: [], changelogs: [], stars: null, iconUrl: null };
      if (answer.status === 304) return { ...nothing, memory };
      if (answer.status !== 200) throw answerFailure(answer, clock.nowMs());

      const { items, leftOut } = pageEntries({ markup: pageText(answer), url: answer.url, rules });
      if (items.length === 0) {
        // Whoever rebuilds a page does not tell us: to say "nothing new" would hide it for ever.
        const what = rules === null ? 'no heading with a version or a date' : 'nothing that metadata.scrape describes';
        throw new FetchFailed('unreadable', 200, { sentence: `The page has ${what}.` });
      }
      const digest = digestOf([items, leftOut]);
      const remembered: Remembered = {
        way: known.way,
        ...validatorsIn(answer),
        digest,
      };
      // Counters and tokens change with every answer, and many pages have no validators.
      if (digest === known.digest) return { ...nothing, memory: remembered };
      return { ...nothing, isNew: true, items, leftOut, memory: remembered };
    },
  };
}
