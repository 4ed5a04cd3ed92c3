import { bodiesProjection, bodyPartId } from '../../projections/bodies/bodies.ts';
import { type ReleaseDocument, releaseDetailProjection } from '../../projections/release-detail/release-detail.ts';
import { type BodyRef, isBodyRef } from '../domain/body/body-ref.ts';
import { joinParts } from '../domain/body/split-body.ts';
import { DomainError } from '../kernel/errors.ts';
import type { ReadModelSet } from '../ports/read-models.ts';

const partIdsOf = (releaseId: string, { sha256, parts }: BodyRef): string[] =>
  Array.from({ length: parts }, (_, part) => bodyPartId(`${releaseId}-${sha256}`, part));

/**
 * The content of each release, put together from its parts where it is long. None of one whose text was erased a moment
 * ago, when the release follows, or whose bodies are behind: the next try tells.
 */
export const presentTexts = async (
  { models }: { readonly models: ReadModelSet },
  releases: readonly ReleaseDocument[],
): Promise<ReadonlyMap<string, string>> => {
  const partIds = releases.flatMap(({ id, given: { content } }) => (isBodyRef(content) ? partIdsOf(id, content) : []));
  const found = partIds.length > 0 ? await models.of(bodiesProjection).get(partIds) : [];
  const parts = new Map(found.map(({ id, text }) => [id, text]));
  const texts = new Map<string, string>();
  for (const { id, given } of releases) {
    const { content } = given;
    const own = isBodyRef(content) ? partIdsOf(id, content).flatMap((partId) => parts.get(partId) ?? []) : [content];
    if (!isBodyRef(content) || own.length === content.parts) texts.set(id, joinParts(own));
  }
  return texts;
};

/**
 * The same of documents as they are now, and none of one that was erased: its text goes before its document, which may stay
 * for long when the projector dies in between. Where the bodies are behind the documents the next try tells.
 */
export const releaseTexts: typeof presentTexts = async (reads, releases) => {
  const texts = await presentTexts(reads, releases);
  const missing = releases.filter(({ id }) => !texts.has(id));
  if (missing.length === 0) return texts;
  const [details, bodies] = [reads.models.of(releaseDetailProjection), reads.models.of(bodiesProjection)];
  // An erasure that took a text has been seen by the bodies. If by then the documents have not seen it, they are behind; if
  // they have, the one that is looked for afterwards is gone. So only a text that is still to come is left in doubt.
  const detailsPosition = await details.checkpoint();
  const isBehind = (await bodies.checkpoint()) < detailsPosition;
  const known = new Set((await details.get(missing.map(({ id }) => id))).map(({ id }) => id));
  const remaining = missing.filter(({ id }) => known.has(id));
  const late = await presentTexts(reads, remaining);
  if (isBehind && late.size < remaining.length) throw new DomainError('service_unavailable');
  return new Map([...texts, ...late]);
};
