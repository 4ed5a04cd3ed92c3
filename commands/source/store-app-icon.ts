import { z } from 'zod';
import { type OrgFact, orgFactOf, requireLiveChild } from '../../src/domain/org/org-fact.ts';
import type { SourceEvent } from '../../src/domain/source/events.ts';
import { mergeMetadata } from '../../src/domain/source/metadata.ts';
import { source } from '../../src/domain/source/state.ts';
import { httpUrl } from '../../src/domain/web-address.ts';
import { type DecisionContext, defineCommand } from '../../src/kernel/command.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** As a store shows an app now. What else is said of the app stays as it is at this moment, whoever has changed it. */
export const storeAppIcon = defineCommand({
  name: 'StoreAppIcon',
  input: z.strictObject({ sourceId, iconUrl: httpUrl }),
  stream: ({ sourceId }) => streamOf('source', sourceId),
  model: source,
  facts: (_, state) => orgFactOf(state),
  decide: ({ iconUrl }, state, { facts }: DecisionContext<OrgFact>): SourceEvent[] => {
    requireLiveChild('source', state, facts);
    const known = state.metadata['appStore'];
    const appStore = typeof known === 'object' && known !== null ? { ...known } : {};
    if ('iconUrl' in appStore && appStore.iconUrl === iconUrl) return [];
    const metadata = mergeMetadata(state.metadata, { appStore: { ...appStore, iconUrl } });
    return [{ type: 'SourceChanged.v1', data: { changed: { metadata } } }];
  },
});
