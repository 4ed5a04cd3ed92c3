import { type JudgedQuery, readJudgedQueries } from './judged-queries.ts';
import { type CorpusRelease, corpusIdOf, readCorpus } from './search-corpus.ts';
import { sharedStems } from './shared-stems.ts';

/**
 * What can be checked of the judged queries only beside the changelogs, which are not in the repository: that every judged
 * release is there, that identifiers stand in their main answer, and that paraphrases share no word with any of theirs.
 */
function mistakesIn({ id, kind, q, judged }: JudgedQuery, releases: ReadonlyMap<string, CorpusRelease>): string[] {
  return judged.flatMap((judgement, index) => {
    const name = corpusIdOf(judgement);
    const release = releases.get(name);
    if (release === undefined) return [`${id}: ${name} is in no changelog`];
    const text = `${release.title}\n${release.content}`;
    if (kind === 'identifier' && index === 0 && !text.toLowerCase().includes(q.toLowerCase()))
      return [`${id}: ${q} does not stand in ${name}`];
    const shared = kind === 'paraphrase' ? sharedStems(q, text, release.package) : [];
    return shared.length === 0 ? [] : [`${id}: shares ${shared.join(', ')} with ${name}`];
  });
}

/** Among fewer, a good place is no merit. */
const releasesMin = 5_000;

const releases = new Map(readCorpus().map((release) => [corpusIdOf(release), release]));
const queries = readJudgedQueries();
const mistakes = [
  ...(releases.size < releasesMin ? [`less than ${releasesMin} releases are searched`] : []),
  ...queries.flatMap((query) => mistakesIn(query, releases)),
];
console.log(
  [...mistakes, `${queries.length} queries, ${releases.size} releases, ${mistakes.length} mistakes`].join('\n'),
);
process.exitCode = mistakes.length === 0 ? 0 : 1;
