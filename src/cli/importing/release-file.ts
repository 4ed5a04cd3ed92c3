import { createReadStream, statSync } from 'node:fs';
import { relative } from 'node:path';
import { bySlashes } from './changelog-files.ts';
import type { FileLine, LinesFile } from '../../use-cases/importing/import-release-lines.ts';

/** A text of a million characters, each written as `\u0001`, and what else a release has. */
const lineBytesMax = 8 * 1024 * 1024;

const lineEnd = 0x0a;

/** The lines of a file; of one that is too long nothing is kept. */
async function* linesOf(
  path: string,
  from: { readonly byte: number; readonly line: number },
): AsyncGenerator<FileLine> {
  let number = from.line;
  let endByte = from.byte;
  let parts: Buffer[] = [];
  let bytes = 0;

  const add = (part: Buffer): void => {
    bytes += part.length;
    endByte += part.length;
    if (bytes <= lineBytesMax) parts.push(part);
    else parts = [];
  };
  const take = (): FileLine => {
    number += 1;
    const text = bytes > lineBytesMax ? null : Buffer.concat(parts).toString('utf8');
    [parts, bytes] = [[], 0];
    return { number, text, endByte };
  };

  for await (const chunk of createReadStream(path, { start: from.byte }) as AsyncIterable<Buffer>) {
    let rest = chunk;
    for (let at = rest.indexOf(lineEnd); at !== -1; at = rest.indexOf(lineEnd)) {
      add(rest.subarray(0, at));
      endByte += 1;
      yield take();
      rest = rest.subarray(at + 1);
    }
    add(rest);
  }
  if (bytes > 0) yield take();
}

export const isReleaseFile = (path: string): boolean => /\.(?:ndjson|jsonl)$/i.test(path);

export function releaseFile(path: string): LinesFile {
  const { size, mtimeMs } = statSync(path);
  return {
    path: bySlashes(relative('', path)),
    bytes: size,
    stamp: `${size} ${mtimeMs}`,
    lines: (from) => linesOf(path, from),
  };
}
