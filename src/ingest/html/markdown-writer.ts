import {
  type Block,
  type Cell,
  heading,
  joinBlocks,
  listItem,
  paragraph,
  quoted,
  tableBlocks,
} from './markdown-blocks.ts';
import { escapeInline, fenceFor, type Inline, type InlineKind, inlineMarkdown, lineBreak } from './markdown-inline.ts';

/** Deeper quotes, lists and tables go on at this level: each one more copies and indents everything in it. */
const containersMax = 12;
/** Deeper marks are left out; nobody nests so many kinds of them. */
const inlinesMax = 12;

export type ContainerKind = 'quote' | 'bullets' | 'numbers' | 'item' | 'table' | 'row' | 'cell' | 'headCell';

interface Container {
  readonly kind: ContainerKind | 'root';
  readonly blocks: Block[];
  readonly cells: Cell[];
  readonly rows: Cell[][];
  nextNumber: number;
}

const containerOf = (kind: Container['kind'], nextNumber = 1): Container => ({
  kind,
  blocks: [],
  cells: [],
  rows: [],
  nextNumber,
});

export interface MarkdownWriter {
  readonly text: (text: string) => void;
  readonly image: (alt: string, address: string) => void;
  /** Something that is Markdown already. */
  readonly raw: (markdown: string) => void;
  readonly lineBreak: () => void;
  /** Whether it was opened, so that only who opened it closes it. */
  readonly openInline: (kind: InlineKind, address?: string) => boolean;
  readonly closeInline: () => void;
  /** Ends a paragraph, where there is one. */
  readonly endBlock: () => void;
  /** What follows is one, until 0. */
  readonly headingLevel: (level: number) => void;
  readonly rule: () => void;
  readonly codeBlock: (code: string, language: string) => void;
  readonly openContainer: (kind: ContainerKind, firstNumber?: number) => boolean;
  readonly closeContainer: () => void;
  readonly markdown: () => string;
}

/** Puts Markdown together from what a reader of a page meets, in that order. Nothing in it is ever looked at twice. */
export function createMarkdownWriter(): MarkdownWriter {
  const containers = [containerOf('root')];
  const inlines: Inline[] = [{ kind: 'plain', address: null, text: '' }];
  let level = 0;
  /** A second line break ends the paragraph. */
  let isAfterBreak = false;
  const within = () => containers.at(-1)!;
  const isOpen = (kind: InlineKind) => inlines.some((inline) => inline.kind === kind);
  const isInCell = () => containers.some(({ kind }) => kind === 'cell' || kind === 'headCell');

  const add = (markdown: string) => {
    inlines.at(-1)!.text += markdown;
  };

  const closeInline = () => {
    const inline = inlines.pop()!;
    add(inlineMarkdown(inline));
  };

  /** Marks end with their paragraph and begin anew in the next. */
  const takeInlines = (): string => {
    for (let index = inlines.length - 1; index > 0; index -= 1) {
      inlines[index - 1]!.text += inlineMarkdown(inlines[index]!);
      inlines[index]!.text = '';
    }
    const text = inlines[0]!.text;
    inlines[0]!.text = '';
    return text;
  };

  const push = (text: string, isList = false) => {
    if (text === '') return;
    const { kind, blocks } = within();
    // What stands in a list without an item of its own.
    if (kind === 'bullets' || kind === 'numbers')
      blocks.push({ text: listItem(isList ? '  ' : '- ', text), isList: true });
    else if (kind !== 'table' && kind !== 'row') blocks.push({ text, isList });
    else containers.findLast((outer) => outer.kind !== 'table' && outer.kind !== 'row')!.blocks.push({ text, isList });
  };

  const endBlock = () => {
    const text = takeInlines();
    if (text === '') return;
    push(level > 0 && !isInCell() ? heading(level, text) : paragraph(text));
  };

  const closeItem = ({ blocks }: Container) => {
    const list = within();
    const isNumbered = list.kind === 'numbers';
    const marker = isNumbered ? `${list.nextNumber}. ` : '- ';
    const text = listItem(marker, joinBlocks(blocks, true));
    if (text === marker) return;
    if (isNumbered) list.nextNumber += 1;
    if (list.kind === 'bullets' || isNumbered) list.blocks.push({ text, isList: true });
    else push(text, true);
  };

  const closeContainer = () => {
    endBlock();
    const container = containers.pop()!;
    const { kind, blocks, cells, rows } = container;
    if (kind === 'quote') push(blocks.length === 0 ? '' : quoted(joinBlocks(blocks, false)));
    else if (kind === 'bullets' || kind === 'numbers') push(joinBlocks(blocks, true), true);
    else if (kind === 'item') closeItem(container);
    else if (kind === 'table') for (const { text, isList } of tableBlocks(rows)) push(text, isList);
    else if (kind === 'row') within().rows.push(cells);
    else within().cells.push({ blocks, isHead: kind === 'headCell' });
  };

  return {
    text: (text) => {
      if (/\S/.test(text)) isAfterBreak = false;
      if (isOpen('code')) return add(text);
      const escaped = escapeInline(text);
      add(isOpen('link') ? escaped.replace(/(?<!\\)[[\]]/g, '\\$&') : escaped);
    },
    image: (alt, address) => {
      const described = escapeInline(alt).replace(/(?<!\\)[[\]]/g, '\\$&');
      isAfterBreak = false;
      if (!isOpen('code')) add(`![${described}](${address})`);
    },
    raw: add,
    lineBreak: () => {
      if (isAfterBreak) endBlock();
      else add(lineBreak);
      isAfterBreak = true;
    },
    openInline: (kind, address) => {
      if (inlines.length > inlinesMax || isOpen(kind) || isOpen('code')) return false;
      inlines.push({ kind, address: address ?? null, text: '' });
      return true;
    },
    closeInline,
    endBlock,
    headingLevel: (wanted) => {
      endBlock();
      level = wanted;
    },
    rule: () => {
      endBlock();
      if (!isInCell()) push('---');
    },
    codeBlock: (code, language) => {
      endBlock();
      const fence = fenceFor(code);
      if (code.trim() !== '') push(`${fence}${language}\n${code}\n${fence}`);
    },
    openContainer: (kind, firstNumber) => {
      endBlock();
      if (containers.length > containersMax) return false;
      containers.push(containerOf(kind, firstNumber));
      return true;
    },
    closeContainer,
    markdown: () => {
      while (containers.length > 1) closeContainer();
      endBlock();
      return joinBlocks(containers[0]!.blocks, false);
    },
  };
}
