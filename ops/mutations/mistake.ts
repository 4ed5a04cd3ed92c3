import type { RealServer } from '../../test/spec/servers/real-servers.ts';

/** A deliberate mistake in the product, and the tests that must notice it. */
export interface Mistake {
  /** In kebab-case; the filter of a run looks for a part of it. */
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly text: string;
  readonly replacement: string;
  /** One sentence: what would go wrong in production. */
  readonly wrong: string;
  /** Test files, from the root. One failing test among them is enough. */
  readonly tests: readonly string[];
  /** Without this server its tests are left out, and so is the mistake. */
  readonly server?: RealServer;
}

/** The file with the mistake in it. */
export function withMistake({ name, file, text, replacement }: Mistake, source: string): string {
  const count = source.split(text).length - 1;
  if (count !== 1) throw new Error(`${name}: its text stands ${count} times in ${file}, not once`);
  return source.replace(text, () => replacement);
}
