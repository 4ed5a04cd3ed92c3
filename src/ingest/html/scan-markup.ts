import { decodeHTML, decodeHTMLAttribute, decodeHTMLStrict } from 'entities';
import { Tokenizer } from 'htmlparser2';

export interface MarkupTag {
  /** As it is spelled; in lower case where `xml` is off. */
  readonly name: string;
  /** Decoded, by names in lower case; of two with one name the first counts. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Only XML has such. */
  readonly isClosed: boolean;
  /** Where it begins, and where what stands in it begins. */
  readonly start: number;
  readonly end: number;
}

export interface MarkupVisitor {
  readonly open: (tag: MarkupTag) => void;
  /** An end tag, whether or not there is something for it to end, and where it begins. */
  readonly close: (name: string, start: number) => void;
  readonly text: (text: string) => void;
}

export interface ScanOptions {
  /** `<a/>` is an element of its own, and only entities with their semicolon count. */
  readonly xml: boolean;
}

/** No element that anybody writes has more, and each costs memory. */
const attributesMax = 100;

const hasEntity = (text: string): boolean => text.includes('&');

/**
 * Tells tags and texts in their order, in one pass over any text: what nests in what is left to who listens, so nothing
 * hostile can be made of it. No entity is declared, expanded or fetched; those of HTML are known in XML too.
 */
export function scanMarkup(markup: string, { xml }: ScanOptions, visitor: MarkupVisitor): void {
  const decodeText = xml ? decodeHTMLStrict : decodeHTML;
  const decodeAttribute = xml ? decodeHTMLStrict : decodeHTMLAttribute;
  const nameOf = (start: number, end: number) => {
    const name = markup.slice(start, end);
    return xml ? name : name.toLowerCase();
  };
  let name = '';
  let start = 0;
  let attributes = new Map<string, string>();
  let attributeName = '';
  let attributeValue = '';

  const endTag = (isClosed: boolean, end: number) => {
    visitor.open({ name, attributes, isClosed, start, end });
  };
  const tokenizer = new Tokenizer(
    { xmlMode: xml, decodeEntities: false },
    {
      onopentagname: (from, to) => {
        name = nameOf(from, to);
        start = from - 1;
        attributes = new Map();
      },
      onattribname: (from, to) => {
        attributeName = markup.slice(from, to).toLowerCase();
        attributeValue = '';
      },
      onattribdata: (from, to) => {
        attributeValue = markup.slice(from, to);
      },
      onattribentity: () => {},
      onattribend: () => {
        if (attributes.size >= attributesMax || attributes.has(attributeName)) return;
        attributes.set(attributeName, hasEntity(attributeValue) ? decodeAttribute(attributeValue) : attributeValue);
      },
      onopentagend: (at) => endTag(false, at + 1),
      onselfclosingtag: (at) => endTag(xml, at + 1),
      onclosetag: (from, to) => visitor.close(nameOf(from, to), from - 2),
      ontext: (from, to) => {
        const text = markup.slice(from, to);
        visitor.text(hasEntity(text) ? decodeText(text) : text);
      },
      ontextentity: () => {},
      oncdata: (from, to, endOffset) => visitor.text(markup.slice(from, to - endOffset)),
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
}
