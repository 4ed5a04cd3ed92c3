import type { Config } from '../config/settings.ts';

/** What a command is given: the settings, how to answer, and the words and flags after its name. */
export interface CliContext {
  readonly config: Config;
  readonly json: boolean;
  readonly words: readonly string[];
  readonly flags: CliFlags;
  readonly print: (line: string) => void;
  /** Progress and remarks; never part of the answer. */
  readonly note: (line: string) => void;
  readonly isTerminal: boolean;
}

export type CliFlags = Readonly<Record<string, string | boolean | undefined>>;

export type FlagKinds = Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly short?: string }>>;

/** Answers the exit code. */
export type RunCommand = (context: CliContext) => Promise<number>;

export interface CliCommand {
  readonly usage: string;
  readonly summary: string;
  /** How many words may stand behind its name; none unless told. */
  readonly wordsMax?: number;
  /** Flags beside those that every command takes. */
  readonly flags?: FlagKinds;
  /** Loads the command with everything behind it, which costs more than most commands do. */
  readonly load: () => Promise<RunCommand>;
}

/** The words were not what the command takes. */
export class UsageError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UsageError';
  }
}
