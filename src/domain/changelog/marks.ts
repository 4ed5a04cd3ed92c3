/** A place where a slice may begin or end: the start of a heading, and how many tokens come before it. */
export interface Mark {
  /** UTF-16 units from the start of the file. */
  readonly at: number;
  readonly tokens: number;
}

/** The marks of a file, a page at a time: a file of 5 MiB may have more than a million of them. */
export interface MarkPages {
  /** The first mark of each page. */
  readonly firsts: readonly Mark[];
  readonly load: (page: number) => Promise<readonly Mark[]>;
}

/** A page takes less than the 256 KiB that one event may carry of a text. */
export const marksPerPage = 10_000;

/** Numbers alone, in turn: read with every slice. */
export const encodePage = (marks: readonly Mark[]): string =>
  JSON.stringify(marks.flatMap(({ at, tokens }) => [at, tokens]));

export const decodePage = (text: string): Mark[] => {
  const numbers = JSON.parse(text) as number[];
  const marks: Mark[] = [];
  for (let index = 0; index < numbers.length; index += 2) {
    marks.push({ at: numbers[index]!, tokens: numbers[index + 1]! });
  }
  return marks;
};

export type Measure = keyof Mark;

/** How many of them lie at or before the value; they are in order. */
const countUpTo = (marks: readonly Mark[], measure: Measure, value: number): number => {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (marks[middle]![measure] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The last mark that is not beyond the value. */
export async function lastUpTo({ firsts, load }: MarkPages, measure: Measure, value: number): Promise<Mark | null> {
  const page = countUpTo(firsts, measure, value) - 1;
  if (page < 0) return null;
  const marks = await load(page);
  return marks[countUpTo(marks, measure, value) - 1] ?? null;
}

/** The first mark behind the place. */
export async function firstBehind({ firsts, load }: MarkPages, at: number): Promise<Mark | null> {
  const page = countUpTo(firsts, 'at', at) - 1;
  const next = firsts[page + 1] ?? null;
  if (page < 0) return next;
  const marks = await load(page);
  return marks[countUpTo(marks, 'at', at)] ?? next;
}
