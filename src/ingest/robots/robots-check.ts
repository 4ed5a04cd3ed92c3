import { serviceName, serviceVersion } from '../../kernel/service-version.ts';
import type { Clock } from '../../ports/clock.ts';
import { answerFailure } from '../answer-failure.ts';
import { FetchFailed } from '../fetch-failed.ts';
import { askThirdParty, type ThirdPartyAnswer, type ThirdPartyDeps } from '../third-party.ts';
import { allowAll, allowNothing, readRobotsRules, type RobotsRules } from './robots-rules.ts';

export interface RobotsDeps extends ThirdPartyDeps {
  readonly clock: Clock;
}

export interface RobotsCheck {
  /** Ends when the page may be asked for, after the pause that its site asks for. Throws FetchFailed. */
  readonly waitForLeave: (url: string, deadlineMs: number) => Promise<void>;
}

interface KnownSite {
  readonly rules: Promise<RobotsRules>;
  readonly readAtMs: number;
  /** Nobody asks earlier. */
  nextAtMs: number;
}

const keptMs = 24 * 60 * 60_000;
/** Beyond so many sites the rules of the one that was asked first are read again. */
const sitesMax = 1_000;
/** As much as the largest search engines read. */
const bytesMax = 500 * 1024;
/** A site that wants to be asked once an hour would let nobody else have a turn. */
const pauseMsMax = 30_000;

const refusals = new Set([401, 403]);

function rulesOf(answer: ThirdPartyAnswer, nowMs: number): RobotsRules {
  const { status, body } = answer;
  if (status === 200) return readRobotsRules(new TextDecoder().decode(body), serviceName);
  if (refusals.has(status)) return allowNothing;
  // There are none, or they cannot be told from none; who asks for patience or fails may have some.
  if (status < 500 && status !== 429) return allowAll;
  throw answerFailure(answer, nowMs);
}

/** Obeys the robots rules of sites, which are read once a day. */
export function createRobotsCheck(deps: RobotsDeps): RobotsCheck {
  const { clock } = deps;
  const sites = new Map<string, KnownSite>(); // the one that was read first is at the beginning

  async function readRules(origin: string, deadlineMs: number): Promise<RobotsRules> {
    const headers = { 'user-agent': `${serviceName}/${serviceVersion}`, accept: 'text/plain' };
    const url = `${origin}/robots.txt`;
    const answer = await askThirdParty(deps, { url, headers, deadlineMs, bodyBytesMax: bytesMax });
    return rulesOf(answer, clock.nowMs());
  }

  function siteOf(origin: string, deadlineMs: number): KnownSite {
    const known = sites.get(origin);
    // Either way: a clock that was set back must not keep rules for longer.
    if (known !== undefined && Math.abs(clock.nowMs() - known.readAtMs) < keptMs) return known;
    const site: KnownSite = {
      rules: readRules(origin, deadlineMs),
      readAtMs: clock.nowMs(),
      nextAtMs: known?.nextAtMs ?? Number.NEGATIVE_INFINITY,
    };
    // Whoever waits for them hears of the failure; the next one asks again.
    site.rules.catch(() => {
      if (sites.get(origin) === site) sites.delete(origin);
    });
    sites.delete(origin);
    sites.set(origin, site);
    for (const oldest of sites.keys()) {
      if (sites.size <= sitesMax) break;
      sites.delete(oldest);
    }
    return site;
  }

  return {
    waitForLeave: async (url, deadlineMs) => {
      const site = siteOf(new URL(url).origin, deadlineMs);
      const rules = await site.rules;
      if (!rules.isAllowed(url)) {
        throw new FetchFailed('blocked', null, { sentence: 'The robots rules of the site do not allow this page.' });
      }
      const nowMs = clock.nowMs();
      const pauseMs = Math.min(rules.crawlDelayMs, pauseMsMax);
      const waitMs = Math.min(Math.max(0, site.nextAtMs - nowMs), Number.MAX_SAFE_INTEGER);
      if (nowMs + waitMs >= deadlineMs) {
        const sentence = 'The site asks for longer pauses between requests than there is time for.';
        throw new FetchFailed('limited', null, { retryAfterMs: waitMs, sentence });
      }
      site.nextAtMs = nowMs + waitMs + pauseMs;
      if (waitMs > 0) await clock.sleep(waitMs);
    },
  };
}
