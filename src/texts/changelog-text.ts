import { type BodyPart, bodiesProjection, bodyPartId } from '../../projections/bodies/bodies.ts';
import type { ChangelogFileDocument } from '../../projections/changelog-files/changelog-files.ts';
import { decodePage, type Mark, type MarkPages } from '../domain/changelog/marks.ts';
import type { ReadModelSet } from '../ports/read-models.ts';

/** The text of this version of the file is gone: another one has taken its place since the file was looked up. */
export class TextReplaced extends Error {}

/** The text of a stored file, of which only the parts that are asked for are read. */
export const changelogText = (
  { models }: { readonly models: ReadModelSet },
  { sourceId, text }: Pick<ChangelogFileDocument, 'sourceId' | 'text'>,
) => {
  const { key, partChars, pages } = text;
  const bodies = models.of(bodiesProjection);

  const partsOf = async (numbers: readonly number[]): Promise<string[]> => {
    const ids = numbers.map((number) => bodyPartId(`${sourceId}-${key}`, number));
    const found = new Map((await bodies.get(ids)).map(({ id, text: part }: BodyPart) => [id, part]));
    return ids.map((id) => {
      const part = found.get(id);
      if (part === undefined) throw new TextReplaced(id);
      return part;
    });
  };

  /** Several pieces may be asked for, and lie in the same part. */
  const read = new Map<number, string>();
  const partsOnce = async (numbers: readonly number[]): Promise<string[]> => {
    const missing = numbers.filter((number) => !read.has(number));
    const parts = missing.length === 0 ? [] : await partsOf(missing);
    missing.forEach((number, at) => read.set(number, parts[at]!));
    return numbers.map((number) => read.get(number)!);
  };

  const loaded = new Map<number, Promise<readonly Mark[]>>();
  const load = (page: number): Promise<readonly Mark[]> => {
    const known = loaded.get(page) ?? partsOf([partChars.length + page]).then(([marks]) => decodePage(marks!));
    loaded.set(page, known);
    return known;
  };
  const marks: MarkPages = { firsts: pages, load };

  const between = async (start: number, end: number): Promise<string> => {
    const wanted: number[] = [];
    let firstAt = 0;
    let at = 0;
    for (const [number, chars] of partChars.entries()) {
      if (at < end && at + chars > start) {
        if (wanted.length === 0) firstAt = at;
        wanted.push(number);
      }
      at += chars;
    }
    if (wanted.length === 0) return '';
    return (await partsOnce(wanted)).join('').slice(start - firstAt, end - firstAt);
  };

  return { marks, between };
};

export type ChangelogText = ReturnType<typeof changelogText>;
