import type { ContainerKind } from './markdown-writer.ts';
import type { InlineKind } from './markdown-inline.ts';

/** Neither they nor anything in them is text for a reader. */
export const dropped: ReadonlySet<string> = new Set(
  'script style head title template noscript iframe frameset object applet svg math select textarea button audio video map dialog'.split(
    ' ',
  ),
);

/** They have no end tag, and nothing in them. */
export const voids: ReadonlySet<string> = new Set(
  'area base br col embed frame hr img input link meta param source track wbr'.split(' '),
);

export const inlineKinds: ReadonlyMap<string, InlineKind> = new Map([
  ['b', 'strong'],
  ['strong', 'strong'],
  ['dt', 'strong'],
  ['i', 'emphasis'],
  ['em', 'emphasis'],
  ['cite', 'emphasis'],
  ['s', 'deleted'],
  ['del', 'deleted'],
  ['strike', 'deleted'],
  ['code', 'code'],
  ['kbd', 'code'],
  ['samp', 'code'],
  ['tt', 'code'],
]);

export const containerKinds: ReadonlyMap<string, ContainerKind> = new Map([
  ['blockquote', 'quote'],
  ['ul', 'bullets'],
  ['menu', 'bullets'],
  ['ol', 'numbers'],
  ['li', 'item'],
  ['table', 'table'],
  ['tr', 'row'],
  ['td', 'cell'],
  ['th', 'headCell'],
]);

/** They begin and end a paragraph; so do those of `containerKinds`. */
export const blocks: ReadonlySet<string> = new Set(
  'address article aside body center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend main nav p pre section summary thead tbody tfoot caption'.split(
    ' ',
  ),
);

const listParts = ['ul', 'ol', 'menu'];
const tableParts = ['table'];

interface ImpliedEnd {
  readonly ends: readonly string[];
  /** Not beyond these. */
  readonly within: readonly string[];
}

/** What the beginning of an element ends where somebody left the end tag out, as HTML allows. */
export const impliedEnds: ReadonlyMap<string, ImpliedEnd> = new Map([
  ['li', { ends: ['li'], within: listParts }],
  ['dt', { ends: ['dt', 'dd'], within: ['dl'] }],
  ['dd', { ends: ['dt', 'dd'], within: ['dl'] }],
  ['tr', { ends: ['td', 'th', 'tr'], within: tableParts }],
  ['td', { ends: ['td', 'th'], within: ['tr', 'table'] }],
  ['th', { ends: ['td', 'th'], within: ['tr', 'table'] }],
  ['thead', { ends: ['td', 'th', 'tr'], within: tableParts }],
  ['tbody', { ends: ['td', 'th', 'tr'], within: tableParts }],
  ['tfoot', { ends: ['td', 'th', 'tr'], within: tableParts }],
]);
