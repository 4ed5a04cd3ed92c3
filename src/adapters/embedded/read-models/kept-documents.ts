/** Longer texts are seldom asked for twice, and would take the place of many. */
const textCharsMax = 4_096;
const turnMs = 30_000;

/** About as many as are kept of the usual size: what comes back after more others is no head of a feed. */
const metOnceMax = 2_048;

interface Kept<Doc> {
  readonly position: number;
  readonly chars: number;
  readonly doc: Doc;
}

export interface KeptDocuments<Doc> {
  /** Whether it was asked for lately: only then its position matters. */
  readonly isMet: (id: string) => boolean;
  /** The document as that position left it, if it is kept. */
  readonly find: (id: string, position: number) => Doc | undefined;
  /** Parses its text, and keeps what comes of it when its position is told: it is not, the first time. */
  readonly parse: (id: string, position: number | null, text: string) => Doc;
}

/**
 * Documents that were asked for lately: the rows at the head of a feed are asked for again and again. A write of a document
 * has a position of its own, so nothing can be out of date, and whoever gets a document shares it. Kept is what is asked
 * for a second time: to keep what nobody asks for again would cost more than to parse it. Twice `charsMax` are kept at
 * most, and nothing that nobody has asked for in a minute: what was erased must not stay in memory.
 */
export function createKeptDocuments<Doc extends object>(charsMax: number): KeptDocuments<Doc> {
  let young = new Map<string, Kept<Doc>>();
  let old = new Map<string, Kept<Doc>>();
  let youngChars = 0;
  let metOnce = new Set<string>();
  let turn: NodeJS.Timeout | null = null;

  const growOld = (): void => {
    old = young;
    young = new Map();
    youngChars = 0;
  };

  const turnOver = (): void => {
    growOld();
    turn = null;
    if (old.size > 0) turnLater();
  };

  const turnLater = (): void => {
    turn = setTimeout(turnOver, turnMs).unref();
  };

  const keep = (id: string, kept: Kept<Doc>): void => {
    if (youngChars + kept.chars > charsMax) growOld();
    metOnce.delete(id);
    youngChars += kept.chars - (young.get(id)?.chars ?? 0);
    young.set(id, kept);
    if (turn === null) turnLater();
  };

  const meet = (id: string): void => {
    if (metOnce.size >= metOnceMax) metOnce = new Set();
    metOnce.add(id);
  };

  return {
    isMet: (id) => metOnce.has(id) || young.has(id) || old.has(id),
    find: (id, position) => {
      const fresh = young.get(id);
      if (fresh !== undefined) return fresh.position === position ? fresh.doc : undefined;
      const known = old.get(id);
      if (known?.position !== position) return undefined;
      keep(id, known);
      return known.doc;
    },
    parse: (id, position, text) => {
      const doc = JSON.parse(text) as Doc;
      if (text.length > textCharsMax) return doc;
      if (position === null) meet(id);
      else keep(id, { position, chars: text.length, doc });
      return doc;
    },
  };
}
