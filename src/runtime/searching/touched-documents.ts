import { changelogFileId } from '../../../projections/changelog-files/changelog-files.ts';
import type { ChangelogFileStored } from '../../domain/changelog/events.ts';
import type { OrgChanged } from '../../domain/org/events.ts';
import type { ProductChanged } from '../../domain/product/events.ts';
import type { SourceChanged } from '../../domain/source/events.ts';
import type { RecordedEvent } from '../../kernel/event.ts';

/** What of the search index follows from some events. */
export interface TouchedDocuments {
  readonly releases: Set<string>;
  /** Files whose text is another one now. */
  readonly files: Set<string>;
  /** Sources that have lost their files. */
  readonly fileless: Set<string>;
  /** What is said of them has changed, but not what their releases are found by. */
  readonly sources: Set<string>;
  /** Sources, products and orgs: everything below them is found by other names now. */
  readonly renamed: { readonly sources: Set<string>; readonly products: Set<string>; readonly orgs: Set<string> };
  /** Products and orgs: what is said of the sources below them has changed. */
  readonly described: { readonly products: Set<string>; readonly orgs: Set<string> };
}

type Touch = (touched: TouchedDocuments, event: RecordedEvent) => void;

const release: Touch = ({ releases }, { stream }) => void releases.add(stream.id);
const product: Touch = ({ renamed }, { stream }) => void renamed.products.add(stream.id);
const source: Touch = ({ sources }, { stream }) => void sources.add(stream.id);

/** Only documents of sources tell these. */
const described = ['description', 'category'];

const hasAny = (changed: object, fields: readonly string[]): boolean => fields.some((field) => field in changed);

/** Event types that the index follows. What hides or deletes an entity is not among them: readers know who is seen. */
const touches: Readonly<Record<string, Touch>> = {
  'ReleaseIndexed.v1': release,
  'ReleaseRevised.v1': release,
  'ReleaseSuppressed.v1': release,
  'ReleaseUnsuppressed.v1': release,
  'CoverageLinked.v1': release,
  'CoverageUnlinked.v1': release,
  'ReleaseErased.v1': release,
  'ChangelogFileStored.v1': ({ files }, { stream, data }) =>
    void files.add(changelogFileId(stream.id, (data as ChangelogFileStored['data']).path)),
  'ChangelogRemoved.v1': ({ fileless }, { stream }) => void fileless.add(stream.id),
  'SourceCreated.v1': source,
  'SourcePurged.v1': source,
  'SourceChanged.v1': ({ sources, renamed }, { stream, data }) => {
    sources.add(stream.id);
    if (hasAny((data as SourceChanged['data']).changed, ['name', 'productId', 'packages', 'url'])) {
      renamed.sources.add(stream.id);
    }
  },
  // The name of a product that nobody sees finds nothing.
  'ProductHidden.v1': product,
  'ProductUnhidden.v1': product,
  'ProductDeleted.v1': product,
  'ProductRestored.v1': product,
  'ProductPurged.v1': product,
  'ProductChanged.v1': (touched, event) => {
    const { changed } = event.data as ProductChanged['data'];
    if ('name' in changed) product(touched, event);
    else if (hasAny(changed, described)) touched.described.products.add(event.stream.id);
  },
  'OrgChanged.v1': (touched, { stream, data }) => {
    const { changed } = data as OrgChanged['data'];
    if ('name' in changed) touched.renamed.orgs.add(stream.id);
    else if (hasAny(changed, described)) touched.described.orgs.add(stream.id);
  },
};

export const searchedTypes: readonly string[] = Object.keys(touches);

export function touchedDocuments(events: readonly RecordedEvent[]): TouchedDocuments {
  const touched: TouchedDocuments = {
    releases: new Set(),
    files: new Set(),
    fileless: new Set(),
    sources: new Set(),
    renamed: { sources: new Set(), products: new Set(), orgs: new Set() },
    described: { products: new Set(), orgs: new Set() },
  };
  for (const event of events) touches[event.type]?.(touched, event);
  return touched;
}
