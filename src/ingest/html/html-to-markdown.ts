import { cutText } from '../../kernel/text-rules.ts';
import { blocks, containerKinds, dropped, impliedEnds, inlineKinds, voids } from './html-elements.ts';
import { linkTarget } from './markdown-inline.ts';
import { markdownCharsMax } from './markdown-blocks.ts';
import { createMarkdownWriter, type MarkdownWriter } from './markdown-writer.ts';
import { type MarkupTag, type ScanOptions, scanMarkup } from './scan-markup.ts';
import { absoluteAddress, baseWithin, linkAddress } from './web-address.ts';

/** Twice as much as the text of a release may have: markup takes room. */
const markupCharsMax = 2_000_000;
/** Elements deeper than this are not kept track of; their text is. */
const depthMax = 100;
const altCharsMax = 300;

/** Whether Markdown tells of all of the HTML that it was made of, or only of its beginning. */
export const isReadWhole = (html: string, markdown: string): boolean =>
  html.length <= markupCharsMax && markdown.length < markdownCharsMax - 1; // one less where a character was not split

interface OpenElement {
  readonly name: string;
  readonly base: string | null;
  /** Undoes what opening it did. */
  readonly end: () => void;
}

interface ReadElement {
  /** Without a prefix, in lower case. */
  readonly name: string;
  readonly tag: MarkupTag;
  readonly base: string | null;
}

const nothing = () => {};

/** Also those that entities spell. */
const controls = /[\x00-\x08\x0b-\x1f]/g;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1).toLowerCase();

/** As syntax highlighters and sites write it: `language-ts`, `highlight-source-ts`. */
const languageIn = (classes: string | undefined): string =>
  /(?:^|\s)(?:lang-|language-|highlight-source-|brush:\s*)([a-z0-9+#._-]{1,30})/i.exec(classes ?? '')?.[1] ?? '';

/** Images of one pixel count readers and show nothing. */
const isPixel = ({ attributes }: MarkupTag): boolean =>
  ['width', 'height'].some((name) => /^[01](?:px)?$/.test(attributes.get(name)?.trim() ?? ''));

function writeImage(writer: MarkdownWriter, tag: MarkupTag, base: string | null): void {
  if (isPixel(tag)) return;
  const { attributes } = tag;
  const sources = ['src', 'data-src', 'data-original'].map((name) => absoluteAddress(attributes.get(name) ?? '', base));
  const address = sources.find((source) => source !== null);
  if (address == null) return;
  const alt = cutText((attributes.get('alt') ?? '').replace(/\s+/g, ' ').trim(), altCharsMax);
  writer.image(alt, linkTarget(address));
}

function writeVoid(writer: MarkdownWriter, { name, tag, base }: ReadElement): void {
  const { attributes } = tag;
  if (name === 'br') writer.lineBreak();
  else if (name === 'hr') writer.rule();
  else if (name === 'img') writeImage(writer, tag, base);
  else if (name === 'input' && attributes.get('type')?.toLowerCase() === 'checkbox') {
    writer.raw(attributes.has('checked') ? '[x] ' : '[ ] ');
  }
}

/** Opens what an element means to a reader, and tells how to close it. */
function openElement(writer: MarkdownWriter, { name, tag, base }: ReadElement): () => void {
  const { attributes } = tag;
  const container = containerKinds.get(name);
  if (container !== undefined) {
    const first = Number(attributes.get('start') ?? 1);
    const isKept = writer.openContainer(container, Number.isInteger(first) && first >= 0 && first < 1e9 ? first : 1);
    return isKept ? writer.closeContainer : writer.endBlock;
  }
  const isBlock = blocks.has(name);
  if (isBlock) writer.endBlock();
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined) {
    writer.headingLevel(Number(level));
    return () => writer.headingLevel(0);
  }
  const address = name === 'a' ? linkAddress(attributes.get('href') ?? '', base) : null;
  const kind = address === null ? inlineKinds.get(name) : 'link';
  if (kind === undefined || !writer.openInline(kind, address ?? undefined)) return isBlock ? writer.endBlock : nothing;
  if (!isBlock) return writer.closeInline;
  return () => {
    writer.closeInline();
    writer.endBlock();
  };
}

/**
 * What HTML shows, as Markdown. Addresses become whole ones; scripts, styles, frames, forms and addresses that are
 * not of the web are left out. Any text is read, in time that grows with its length alone.
 */
export function htmlToMarkdown(html: string, base: string | null, options: ScanOptions = { xml: false }): string {
  const writer = createMarkdownWriter();
  const open: OpenElement[] = [];
  let dropping: { readonly name: string; depth: number } | null = null;
  let code: { text: string; language: string } | null = null;

  const baseHere = () => open.at(-1)?.base ?? base;
  const closeDownTo = (index: number) => {
    while (open.length > index) open.pop()!.end();
  };
  const endImplied = (name: string) => {
    const implied = impliedEnds.get(name);
    if (implied === undefined) return;
    for (let index = open.length - 1; index >= 0; index -= 1) {
      if (implied.within.includes(open[index]!.name)) return;
      if (implied.ends.includes(open[index]!.name)) closeDownTo(index);
    }
  };
  const openCode = ({ attributes }: MarkupTag) => {
    writer.endBlock();
    const started = { text: '', language: languageIn(attributes.get('class')) };
    code = started;
    return () => {
      code = null;
      writer.codeBlock(started.text.replace(/^\n/, '').trimEnd(), started.language);
    };
  };

  const openTag = (name: string, tag: MarkupTag) => {
    const { attributes, isClosed } = tag;
    if (voids.has(name)) {
      if (code === null) writeVoid(writer, { name, tag, base: baseHere() });
      else if (name === 'br') code.text += '\n';
      return;
    }
    if (dropped.has(name)) {
      if (!isClosed) dropping = { name, depth: 1 };
      return;
    }
    endImplied(name);
    if (isClosed || open.length >= depthMax) {
      if (blocks.has(name) && code === null) writer.endBlock();
      return;
    }
    const inner = baseWithin(baseHere(), attributes.get('xml:base'));
    if (code !== null) {
      code.language ||= languageIn(attributes.get('class'));
      open.push({ name, base: inner, end: nothing });
    } else
      open.push({
        name,
        base: inner,
        end: name === 'pre' ? openCode(tag) : openElement(writer, { name, tag, base: inner }),
      });
  };

  scanMarkup(cutText(html, markupCharsMax).replace(/\r\n?/g, '\n'), options, {
    open: (tag) => {
      const name = localName(tag.name);
      if (dropping === null) openTag(name, tag);
      else if (dropping.name === name && !tag.isClosed) dropping.depth += 1;
    },
    close: (spelled) => {
      const name = localName(spelled);
      if (dropping !== null) {
        if (dropping.name === name) dropping.depth -= 1;
        if (dropping.depth === 0) dropping = null;
        return;
      }
      const index = open.findLastIndex((element) => element.name === name);
      if (index !== -1) closeDownTo(index);
      else if (name === 'br') writer.lineBreak();
      else if (name === 'p') writer.endBlock();
    },
    text: (text) => {
      if (dropping !== null) return;
      const seen = text.replace(controls, '');
      if (code !== null) code.text += seen;
      else writer.text(seen);
    },
  });
  closeDownTo(0);
  return writer.markdown().trim();
}
