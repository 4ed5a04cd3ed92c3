import type { Log } from '../../src/ports/log.ts';

/** Keeps what was said, for tests that look for it. */
export const createKeptLog = (): Log & { readonly lines: { level: string; sentence: string }[] } => {
  const lines: { level: string; sentence: string }[] = [];
  const keep = (level: string) => (sentence: string) => void lines.push({ level, sentence });
  return { lines, info: keep('info'), warn: keep('warn'), error: keep('error') };
};
