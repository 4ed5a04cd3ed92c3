import type { OrgEvent } from '../../../src/domain/org/events.ts';
import { org } from '../../../src/domain/org/state.ts';
import type { ProductEvent } from '../../../src/domain/product/events.ts';
import { product } from '../../../src/domain/product/state.ts';
import type { ReleaseEvent } from '../../../src/domain/release/events.ts';
import type { ReleaseParents } from '../../../src/domain/release/parents.ts';
import type { SourceCreated, SourceEvent } from '../../../src/domain/source/events.ts';
import { source } from '../../../src/domain/source/state.ts';
import { acme, idOf, orgCreated, productCreated, sourceCreated } from '../events/entity-events.ts';
import { stateAfter } from '../given-when-then.ts';

export const orgId = acme;
export const productId = idOf('prod', 'B');
export const sourceId = idOf('src', 'C');
export const webBaseUrl = 'https://registry.example';

const acmeCreated = orgCreated({ domain: 'acme.example', avatarUrl: 'https://acme.example/logo.png' });
const rocketCreated = productCreated({ slug: 'rocket', name: 'Rocket' });
const coreCreated = (fields: Partial<SourceCreated['data']>) =>
  sourceCreated({ slug: 'core', name: 'Core', type: 'feed', url: 'https://acme.example/changelog', ...fields });

/** A source of an org, with or without a product, after whatever else happened to them. */
export const parentsAfter = (
  happened: { source?: SourceEvent[]; org?: OrgEvent[]; product?: ProductEvent[] } = {},
): ReleaseParents => ({
  source: stateAfter(source, [
    coreCreated({ productId: happened.product === undefined ? null : productId }),
    ...(happened.source ?? []),
  ]),
  org: stateAfter(org, [acmeCreated, ...(happened.org ?? [])]),
  ...(happened.product && { product: stateAfter(product, [rocketCreated, ...happened.product]) }),
});

export const standaloneSource: ReleaseParents = {
  source: stateAfter(source, [coreCreated({ orgId: null })]),
};

export const releaseErased: ReleaseEvent = {
  type: 'ReleaseErased.v1',
  data: { sourceId, orgId, identityKind: 'version', publishedDates: [null], bodyStreams: [] },
};
