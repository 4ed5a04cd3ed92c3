import { repositoryUrl } from '../../domain/source/github-coordinate.ts';
import { serviceName, serviceVersion } from '../../kernel/service-version.ts';
import { answerFailure } from '../answer-failure.ts';
import { cleanedText } from '../clean-text.ts';
import type { FetchedChangelog } from '../source-fetcher.ts';
import { askThirdParty, type ThirdPartyAnswer, type ThirdPartyDeps } from '../third-party.ts';

export interface RawFileDeps extends ThirdPartyDeps {
  /** Where files are read as they are; without a slash at its end. */
  readonly rawUrl: string;
}

export interface RawFileWanted {
  readonly repository: string;
  readonly path: string;
  readonly deadlineMs: number;
  /** Of the text that is known. */
  readonly etag: string | null;
}

export interface ReadChangelogFile {
  readonly file: FetchedChangelog;
  readonly etag: string | null;
}

/** As much as is stored of a file (contract 5.4). */
const bytesMax = 5 * 1024 * 1024;
const absent = new Set([404, 410]);

/** As a store takes it and a reader sees it: whole characters, nothing that hides, and no more bytes than it has room for, whatever stood in their place. */
function textOf({ body, truncated }: ThirdPartyAnswer): Pick<FetchedChangelog, 'content' | 'truncated'> {
  const text = cleanedText(new TextDecoder().decode(body));
  const encoded = new TextEncoder().encode(text);
  if (encoded.length <= bytesMax) return { content: text, truncated };
  const content = new TextDecoder().decode(encoded.subarray(0, bytesMax), { stream: true });
  return { content, truncated: true };
}

/** A file of the default branch, `unchanged` or `absent`. No credential goes along: everybody may read it. Throws FetchFailed. */
export async function readChangelogFile(
  deps: RawFileDeps,
  { repository, path, deadlineMs, etag }: RawFileWanted,
): Promise<ReadChangelogFile | 'unchanged' | 'absent'> {
  const place = `HEAD/${path.split('/').map(encodeURIComponent).join('/')}`;
  const rawUrl = `${deps.rawUrl}/${repository}/${place}`;
  const headers = {
    'user-agent': `${serviceName}/${serviceVersion}`,
    accept: 'text/plain',
    ...(etag !== null && { 'if-none-match': etag }),
  };
  const answer = await askThirdParty(deps, { url: rawUrl, headers, deadlineMs, bodyBytesMax: bytesMax });
  if (answer.status === 304 && etag !== null) return 'unchanged';
  if (absent.has(answer.status)) return 'absent';
  if (answer.status !== 200) throw answerFailure(answer, deps.clock.nowMs());
  const url = `${repositoryUrl(repository)}/blob/${place}`;
  return { file: { path, ...textOf(answer), url, rawUrl }, etag: answer.headers['etag'] ?? null };
}
