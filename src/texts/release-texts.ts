import { bodiesProjection, bodyPartId } from '../../projections/bodies/bodies.ts';
import type { ReleaseDocument } from '../../projections/release-detail/release-detail.ts';
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

/** The same, where all of them must be there. */
export const releaseTexts: typeof presentTexts = async (reads, releases) => {
  const texts = await presentTexts(reads, releases);
  if (texts.size < releases.length) throw new DomainError('service_unavailable');
  return texts;
};
