import { type ReleaseDocument, releaseDetailProjection } from '../../../projections/release-detail/release-detail.ts';
import { effectiveRelease } from '../../domain/release/effective.ts';
import type { ReadModelSet } from '../../ports/read-models.ts';
import { releaseEntries } from '../../search/entries/release-entries.ts';
import { saysNothing } from '../../search/ranking/empty-body.ts';
import { searchedTitle } from '../../search/words/searched-title.ts';
import { presentTexts } from '../../texts/release-texts.ts';
import { calledName, type NamedSource, namedSources, namesText } from './source-names.ts';
import type { LoadDocuments, MadeDocument } from './made-document.ts';
import type { LoadTexts } from './texts-to-embed.ts';

interface FoundRelease {
  readonly release: ReleaseDocument;
  readonly text: string;
  readonly named: NamedSource;
}

interface FoundReleases {
  readonly found: readonly FoundRelease[];
  /** Their texts are gone already, or not there yet: an event tells of it that is still to come. */
  readonly unsure: ReadonlySet<string>;
  /** Suppressed. */
  readonly hidden: ReadonlySet<string>;
}

/** Those that anybody may find, with their texts. */
async function findReleases(models: ReadModelSet, ids: readonly string[]): Promise<FoundReleases> {
  const details = await models.of(releaseDetailProjection).get([...ids]);
  const shown = details.filter(({ suppression }) => suppression === null);
  const texts = await presentTexts({ models }, shown);
  const named = await namedSources(
    models,
    shown.map(({ sourceId }) => sourceId),
  );
  const found = shown.flatMap((release) => {
    const [text, source] = [texts.get(release.id), named.get(release.sourceId)];
    return text === undefined || source === undefined ? [] : [{ release, text, named: source }];
  });
  return {
    found,
    unsure: new Set(shown.filter(({ id }) => !texts.has(id)).map(({ id }) => id)),
    hidden: new Set(details.filter(({ suppression }) => suppression !== null).map(({ id }) => id)),
  };
}

const documentOf = ({ release, text, named }: FoundRelease): MadeDocument => {
  const { publishedAt } = effectiveRelease(release.given, release.derived);
  return {
    id: release.id,
    sourceId: release.sourceId,
    texts: { title: searchedTitle(release), names: namesText(named), body: text },
    publishedMs: publishedAt === null ? null : Date.parse(publishedAt),
    isCoverage: release.coverage !== null,
    isBare: saysNothing(text),
  };
};

/** As they are indexed now; those that are not there are not to be found. */
export const releaseDocuments: LoadDocuments = async (models, ids) => {
  const { found, unsure, hidden } = await findReleases(models, ids);
  return { docs: new Map(found.map((each) => [each.release.id, documentOf(each)])), unsure, hidden };
};

/** The texts that get vectors; none of a release that says nothing. */
export const releaseTextsToEmbed: LoadTexts = async (models, ids) => {
  const { found } = await findReleases(models, ids);
  return new Map(
    found.map(({ release, text, named }) => [
      release.id,
      { sourceId: release.sourceId, entries: saysNothing(text) ? [] : releaseEntries(calledName(named), text) },
    ]),
  );
};
