import { textDigest } from '../../domain/text-digest.ts';
import { serviceName, serviceVersion } from '../../kernel/service-version.ts';
import { answerFailure } from '../answer-failure.ts';
import { FetchFailed } from '../fetch-failed.ts';
import { jsonOf } from '../read-json.ts';
import type { FetchedSource, SourceFetcher } from '../source-fetcher.ts';
import { askThirdParty, type ThirdPartyDeps } from '../third-party.ts';
import { type AppAddress, appAddressOf } from './app-address.ts';
import { readLookup } from './read-lookup.ts';

export interface AppStoreDeps extends ThirdPartyDeps {
  /** Without a slash at its end. */
  readonly storeUrl: string;
}

const answerBytesMax = 2 * 1024 * 1024;

const lookupUrl = (storeUrl: string, { id, country, isMac }: AppAddress): string =>
  `${storeUrl}/lookup?id=${id}&country=${country}${isMac ? '&entity=macSoftware' : ''}`;

/** Reads the version that an app store has now; older ones it does not tell of. */
export function createAppStoreFetcher(deps: AppStoreDeps): SourceFetcher {
  return {
    fetch: async (source, deadlineMs): Promise<FetchedSource> => {
      const url = lookupUrl(deps.storeUrl, appAddressOf(source));
      const headers = { 'user-agent': `${serviceName}/${serviceVersion}`, accept: 'application/json' };
      const answer = await askThirdParty(deps, { url, headers, deadlineMs, bodyBytesMax: answerBytesMax });
      const { status } = answer;
      if (status !== 200) throw answerFailure(answer, deps.clock.nowMs());
      const app = readLookup(jsonOf(answer));
      if (app === 'unknown') {
        throw new FetchFailed('unreadable', 404, { sentence: 'The store has no such app in that country.' });
      }
      if (app === null) throw new FetchFailed('unreadable', status, { sentence: 'The store told of no version.' });
      const { item, version, iconUrl } = app;
      // The store has no validators to go by.
      const digest = textDigest(JSON.stringify([url, item, iconUrl]))?.hash ?? null;
      const isNew = source.memory['digest'] !== digest;
      const leftOut =
        item === null ? [{ entry: version, reason: 'No release can be made of what the store tells.' }] : [];
      return {
        isNew,
        items: isNew && item !== null ? [item] : [],
        leftOut,
        memory: { digest },
        changelogs: [],
        stars: null,
        iconUrl: isNew ? iconUrl : null,
      };
    },
  };
}
