export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** How long things took that have these labels. */
export interface TimedSample {
  readonly labels: Labels;
  /** How many took at most each bound and more than the one before; the last are those beyond all bounds. */
  readonly counts: readonly number[];
  readonly sumSeconds: number;
}

interface Described {
  readonly name: string;
  /** One sentence. */
  readonly help: string;
}

/** A number that those who run the service watch; read when somebody asks for it. */
export type Metric = Described &
  (
    | { readonly kind: 'counter' | 'gauge'; readonly read: () => Promise<readonly Sample[]> }
    | {
        readonly kind: 'histogram';
        readonly boundsSeconds: readonly number[];
        readonly read: () => Promise<readonly TimedSample[]>;
      }
  );
