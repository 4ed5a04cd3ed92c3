import { type MarkupTag, scanMarkup } from '../html/scan-markup.ts';
import { baseWithin } from '../html/web-address.ts';
import {
  createNamespaces,
  type Declarations,
  declarationsOf,
  type ElementName,
  elementName,
} from './xml-namespaces.ts';
import type { XmlNode } from './xml-node.ts';

/** Nothing in a feed lies deeper but the markup of texts, which is read on its own. */
const depthMax = 200;
/** Of an entry: its fields, and what stands in a group of media. */
const nodeDepthMax = 3;
const nodesMax = 2_000;

export type XmlFeedKind = 'rss' | 'atom';

export interface XmlFeedVisitor {
  /** A field of the feed itself. */
  readonly head: (field: XmlNode) => void;
  readonly entry: (entry: XmlNode, kind: XmlFeedKind) => void;
}

interface OpenElement {
  readonly spelled: string;
  readonly name: ElementName;
  readonly declared: Declarations | null;
  readonly base: string | null;
  readonly contentStart: number;
  /** Null where nothing is kept of it. */
  readonly node: XmlNode | null;
  /** 0 is an entry or a field of the feed; null outside of them. */
  readonly depth: number | null;
}

const roots: ReadonlyMap<string, XmlFeedKind> = new Map([
  ['rss', 'rss'],
  ['rdf', 'rss'],
  ['feed', 'atom'],
]);
const entryNames: Readonly<Record<XmlFeedKind, string>> = { rss: 'item', atom: 'entry' };

/** Fields that hold a line: where one was not closed, the next field ends it. */
const lines = new Set(
  'title link guid id pubdate published updated issued modified created date category comments creator'.split(' '),
);
const fields = new Set([
  ...lines,
  'description',
  'summary',
  'content',
  'encoded',
  'author',
  'enclosure',
  'source',
  'group',
  'thumbnail',
]);

/**
 * Tells the fields and the entries of a feed in XML, one after the other: never more than one entry is held. Tags that
 * nobody closed and junk around the feed do no harm. Null when there is no feed in it.
 */
export function scanXmlFeed(text: string, address: string, visitor: XmlFeedVisitor): XmlFeedKind | null {
  const open: OpenElement[] = [];
  let kind: XmlFeedKind | null = null;
  let nodes = 0;
  /** How many of a name are open: an end tag without any needs no search. */
  const openNames = new Map<string, number>();
  const namespaces = createNamespaces();

  const close = ({ node, contentStart, depth, name }: OpenElement, end: number) => {
    if (node === null) return;
    if (node.markup !== null) node.markup = text.slice(contentStart, end);
    if (depth !== 0 || kind === null) return;
    if (name.local === entryNames[kind]) visitor.entry(node, kind);
    else visitor.head(node);
  };
  const closeDownTo = (index: number, end: number) => {
    while (open.length > index) {
      const element = open.pop()!;
      namespaces.leave(element.declared);
      const others = openNames.get(element.spelled)! - 1;
      if (others === 0) openNames.delete(element.spelled);
      else openNames.set(element.spelled, others);
      close(element, end);
    }
  };
  const isEntry = ({ space, local }: ElementName) =>
    kind !== null && local === entryNames[kind] && (space === '' || space === 'atom' || space === open[0]?.name.space);

  const closeUnclosed = (name: ElementName, at: number) => {
    const last = open.at(-1);
    const isField = last?.depth === 1 || (last?.depth === 0 && !isEntry(last.name));
    if (isField && lines.has(last.name.local) && fields.has(name.local)) closeDownTo(open.length - 1, at);
    if (!isEntry(name)) return;
    const entry = open.findIndex(({ depth }) => depth === 0);
    if (entry !== -1) closeDownTo(entry, at);
  };

  const depthBelow = (parent: OpenElement | undefined, name: ElementName): number | null => {
    if (parent?.depth != null) return parent.depth + 1;
    if (isEntry(name)) return 0;
    const isHead = parent?.name.local === 'channel' || (kind === 'atom' && open.length === 1);
    return isHead && lines.has(name.local) ? 0 : null;
  };

  const openTag = ({ name: spelled, attributes, isClosed, start, end }: MarkupTag) => {
    const declared = declarationsOf(attributes);
    const name = elementName(spelled, declared, namespaces);
    kind ??= roots.get(name.local) ?? null;
    if (kind === null) return;
    closeUnclosed(name, start);
    const parent = open.at(-1);
    if (parent?.node != null) parent.node.markup ??= '';
    if (open.length >= depthMax) return;
    const outerBase = parent?.base ?? null;
    const ownBase = attributes.get('xml:base');
    const base = ownBase === undefined ? outerBase : baseWithin(outerBase ?? address, ownBase);
    const depth = depthBelow(parent, name);
    if (depth === 0) nodes = 0;
    const isKept = depth !== null && depth <= nodeDepthMax && nodes < nodesMax;
    const { space, local } = name;
    const node = isKept ? { space, local, attributes, base, children: [], text: '', markup: null } : null;
    if (node !== null) {
      nodes += 1;
      if (depth !== 0) parent?.node?.children.push(node);
    }
    const element = { spelled, name, declared, base, contentStart: end, node, depth };
    if (isClosed) close(element, end);
    else {
      open.push(element);
      namespaces.enter(declared);
      openNames.set(spelled, (openNames.get(spelled) ?? 0) + 1);
    }
  };

  scanMarkup(
    text,
    { xml: true },
    {
      open: openTag,
      close: (spelled, start) => {
        if (!openNames.has(spelled)) return;
        const index = open.findLastIndex((element) => element.spelled === spelled);
        closeDownTo(index, start);
      },
      text: (piece) => {
        const node = open.at(-1)?.node;
        if (node != null) node.text += piece;
      },
    },
  );
  closeDownTo(0, text.length);
  return kind;
}
