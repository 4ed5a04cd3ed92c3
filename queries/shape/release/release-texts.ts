import { bodiesProjection, bodyPartId } from '../../../projections/bodies/bodies.ts';
import type { ReleaseDocument } from '../../../projections/release-detail/release-detail.ts';
import { type BodyRef, isBodyRef } from '../../../src/domain/body/body-ref.ts';
import { joinParts } from '../../../src/domain/body/split-body.ts';
import { DomainError } from '../../../src/kernel/errors.ts';
import type { QueryDeps } from '../query-deps.ts';

const partIdsOf = (releaseId: string, { sha256, parts }: BodyRef): string[] =>
  Array.from({ length: parts }, (_, part) => bodyPartId(`${releaseId}-${sha256}`, part));

/** The content of each release, put together from its parts where it is long. */
export const releaseTexts = async (
  { models }: Pick<QueryDeps, 'models'>,
  releases: readonly ReleaseDocument[],
): Promise<ReadonlyMap<string, string>> => {
  const partIds = releases.flatMap(({ id, given: { content } }) => (isBodyRef(content) ? partIdsOf(id, content) : []));
  const found = partIds.length > 0 ? await models.of(bodiesProjection).get(partIds) : [];
  const parts = new Map(found.map(({ id, text }) => [id, text]));

  const textOf = ({ id, given: { content } }: ReleaseDocument): string => {
    if (!isBodyRef(content)) return content;
    return joinParts(
      partIdsOf(id, content).map((partId) => {
        const text = parts.get(partId);
        // The text was erased a moment ago and the release follows, or the bodies are behind: the next try tells.
        if (text === undefined) throw new DomainError('service_unavailable');
        return text;
      }),
    );
  };
  return new Map(releases.map((release) => [release.id, textOf(release)]));
};
