/** What a text means, as a vector of length 1; null for a text that means nothing to the model. */
export type Meaning = Float32Array | null;

export interface Embedder {
  /** Names the model and its version: vectors of another name are made again. */
  readonly model: string;
  /** Vectors of models that name the same space may be compared. */
  readonly space: string;
  readonly dimensions: number;
  /**
   * One vector for each text, in order. Only the beginning of a long text counts. Throws EmbedderUnavailable, for a query
   * after 5 seconds at the latest; and the reason of the signal when that fires.
   */
  readonly embed: (texts: readonly string[], options?: EmbedOptions) => Promise<Meaning[]>;
  /** What is in hand may be refused. May be called twice. */
  readonly close: () => Promise<void>;
}

export interface EmbedOptions {
  /** Somebody waits for the answer: it goes before whatever is filled in the background. */
  readonly isQuery?: boolean;
  readonly signal?: AbortSignal;
}

export interface UnavailableNotes extends ErrorOptions {
  /** How long it asks to be left alone; null when it does not say. */
  readonly retryAfterMs?: number | null;
  /** It works, but not with our settings: only who changes them can help. */
  readonly isMisconfigured?: boolean;
  /** It cannot work on this machine, however often it is tried. */
  readonly isLasting?: boolean;
  /** It has given nothing since it was last started, or cannot even be: whoever has another of its space need not wait for it. */
  readonly cannotStart?: boolean;
}

/** The embedder cannot be asked now; a mistake of our own is any other error. */
export class EmbedderUnavailable extends Error {
  readonly retryAfterMs: number | null;
  readonly isMisconfigured: boolean;
  readonly isLasting: boolean;
  readonly cannotStart: boolean;

  constructor(message: string, notes: UnavailableNotes = {}) {
    const { retryAfterMs = null, isMisconfigured = false, isLasting = false, cannotStart = false, ...options } = notes;
    super(message, options);
    this.name = 'EmbedderUnavailable';
    this.retryAfterMs = retryAfterMs;
    this.isMisconfigured = isMisconfigured;
    this.isLasting = isLasting;
    this.cannotStart = cannotStart;
  }
}
