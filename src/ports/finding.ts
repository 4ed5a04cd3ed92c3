/** One thing that an examination looked at: how it is, and what to do about it. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'failure';
  /** What was looked at: a server, a setting, a read model. */
  readonly about: string;
  readonly sentence: string;
  /** What to do; only where something is to be done. */
  readonly advice?: string;
}

export const well = (about: string, sentence: string): Finding => ({ state: 'ok', about, sentence });

export const warning = (about: string, sentence: string, advice: string): Finding => ({
  state: 'warning',
  about,
  sentence,
  advice,
});

export const failure = (about: string, sentence: string, advice: string): Finding => ({
  state: 'failure',
  about,
  sentence,
  advice,
});
