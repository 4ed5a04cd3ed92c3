/** What a command is given: where the data lies, how to answer, and the words after its name. */
export interface CliContext {
  readonly dataDir: string;
  readonly json: boolean;
  readonly words: readonly string[];
  readonly print: (line: string) => void;
  /** Progress and remarks; never part of the answer. */
  readonly note: (line: string) => void;
  readonly isTerminal: boolean;
}

export interface CliCommand {
  readonly usage: string;
  readonly summary: string;
  /** Answers the exit code. */
  readonly run: (context: CliContext) => Promise<number>;
}

/** The words were not what the command takes. */
export class UsageError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'UsageError';
  }
}
