import type { BodyPart } from '../../projections/bodies/bodies.ts';
import type { InstantsDocument } from '../../projections/instants/instants.ts';
import type { OrgDocument } from '../../projections/org/org.ts';
import type { ProductDocument } from '../../projections/product/product.ts';
import type { ReleaseDocument } from '../../projections/release-detail/release-detail.ts';
import type { FeedRow } from '../../projections/release-feed/release-feed.ts';
import type { SourceDocument } from '../../projections/source/source.ts';
import type { TokenDocument } from '../../projections/tokens/tokens.ts';
import type { WebhookDocument } from '../../projections/webhooks/webhooks.ts';
import type { WebhookQueryDeps } from '../../queries/shape/webhook-record.ts';
import { type Catalogue, createCatalogue } from '../catalogue/catalogue.ts';
import { BackendUnavailable } from '../kernel/backend-unavailable.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Document } from '../kernel/projection.ts';
import type { ReadModel } from '../ports/read-models.ts';
import type { LiveReadModels, ReadModelSet } from '../runtime/projector/live-read-models.ts';
import type { ReadView } from './services.ts';
import type { SourceContacts } from '../records/source-contacts.ts';
import type { TokenUses } from '../records/token-uses.ts';

/** How long a request waits for a position, its own or one it was given (contract 2.14). */
const positionWaitMs = 2_000;

export interface ReadViews {
  readonly view: () => Promise<ReadView>;
  /** For an answer to a write, which is stored whatever becomes of the read models. */
  readonly viewAfter: (reads: readonly string[], position: number) => Promise<ReadView>;
  /** Throws `projection_behind` when the read models do not get there in time. */
  readonly waitFor: (reads: readonly string[], position: number) => Promise<void>;
}

const modelOf = <Doc extends Document>(set: ReadModelSet, name: string): ReadModel<Doc> => {
  const model = set.get(name);
  if (model === undefined) throw new Error(`there is no read model ${name}`);
  return model as unknown as ReadModel<Doc>;
};

export function createReadViews(deps: {
  readonly live: LiveReadModels;
  readonly contacts: SourceContacts;
  readonly tokenUses: TokenUses;
  readonly deliveryCounters: WebhookQueryDeps['deliveryCounters'];
  readonly webBaseUrl: string;
}): ReadViews {
  const { live, contacts, tokenUses, deliveryCounters, webBaseUrl } = deps;
  // A catalogue belongs to the generations it was loaded from; a switch makes another one.
  let loaded: { readonly set: ReadModelSet; readonly catalogue: Promise<Catalogue> } | null = null;

  const catalogueOf = (set: ReadModelSet): Promise<Catalogue> => {
    if (loaded?.set === set) return loaded.catalogue;
    const catalogue = createCatalogue({
      org: modelOf<OrgDocument>(set, 'org'),
      product: modelOf<ProductDocument>(set, 'product'),
      source: modelOf<SourceDocument>(set, 'source'),
      instants: modelOf<InstantsDocument>(set, 'instants'),
    });
    loaded = { set, catalogue };
    catalogue.catch(() => {
      loaded = null; // who waits for it is told; the next request tries again
    });
    return catalogue;
  };

  const view = async (): Promise<ReadView> => {
    const set = await live.current();
    if (set === null) throw new DomainError('service_unavailable');
    const catalogue = await catalogueOf(set);
    await Promise.all([catalogue.refresh(), contacts.refresh(), tokenUses.refresh()]);
    return {
      catalogue,
      releaseFeed: modelOf<FeedRow>(set, 'release-feed'),
      releaseDetail: modelOf<ReleaseDocument>(set, 'release-detail'),
      bodies: modelOf<BodyPart>(set, 'bodies'),
      tokens: modelOf<TokenDocument>(set, 'tokens'),
      webhooks: modelOf<WebhookDocument>(set, 'webhooks'),
      fetchState: contacts.state,
      lastUsedAt: tokenUses.lastUsedAt,
      deliveryCounters,
      webBaseUrl,
    };
  };
  const waitFor: ReadViews['waitFor'] = async (reads, position) => {
    if (await live.waitFor(reads, position, positionWaitMs)) return;
    throw new DomainError('projection_behind', { requested: position, position: await live.lowestPosition(reads) });
  };

  return {
    view,
    waitFor,
    viewAfter: async (reads, position) => {
      try {
        await waitFor(reads, position);
        return await view();
      } catch (error) {
        if (!(error instanceof BackendUnavailable)) throw error;
        // The caller must not take it for refused and send it again: it is stored, and only cannot be shown.
        throw new DomainError('projection_behind', { requested: position, position: null });
      }
    },
  };
}
