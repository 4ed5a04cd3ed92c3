import { changelogSlice } from '../../../queries/sources/changelog-slice.ts';
import { summariesList } from '../../../queries/sources/summaries-list.ts';
import { type NaiveChangelogFile, naiveChangelogFiles, naiveSummaries } from '../naive/naive-texts.ts';
import { historyTokens } from '../random-history/source-texts.ts';
import { answerOf, type Comparison, publicly, same, sameParts } from './comparison.ts';

const fileOf = ({ path, content, fetchedAt }: NaiveChangelogFile) => ({
  path,
  filename: path.split('/').at(-1),
  bytes: Buffer.byteLength(content),
  fetchedAt,
});

/** What agents have written about each source. */
export const compareSourceTexts = async (comparison: Comparison): Promise<void> => {
  const { reading, view, random } = comparison;
  const none = { path: null, offset: null, limit: null, tokens: null };
  for (const source of view.sources) {
    const summaries = naiveSummaries(view, source).map((each) => ({ ...each, orgId: source.orgId }));
    const all = { sourceSlug: null, sourceId: source.id, type: null, year: null, month: null };
    const type = random.pick(['rolling', 'monthly'] as const);
    const month = random.int(1, 12);
    const asked = [
      { input: all, expected: summaries },
      { input: { ...all, type }, expected: summaries.filter((each) => each.type === type) },
      { input: { ...all, month }, expected: summaries.filter((each) => each.month === month) },
      { input: { ...all, year: 2030 }, expected: summaries.filter((each) => each.year === 2030) },
    ];
    for (const { input, expected } of asked) {
      const what = `summaries ${JSON.stringify(input)}`;
      same(what, { items: expected }, await summariesList(reading, input, publicly(comparison)));
    }
    const document = reading.catalogue.source(source.id);
    if (document === undefined) throw new Error(`${source.id} is not in the catalogue`);
    const files = source.type === 'github' ? naiveChangelogFiles(view, source) : [];
    const [meant] = files;
    const whole = await answerOf(() => changelogSlice(reading, document, none));
    const expected = meant && {
      ...fileOf(meant),
      content: meant.content,
      totalChars: meant.content.length,
      offset: 0,
      limit: meant.content.length,
      nextOffset: null,
      truncated: false,
      files: files.map(fileOf),
    };
    same(`changelog of ${source.id}`, expected ? { answer: expected } : { refused: 'not_found' }, whole);
    for (const { path, content } of files) {
      const sections = content.split(/^(?=# )/m);
      const answer = await changelogSlice(reading, document, { ...none, path, tokens: 1 });
      const slice = { content: sections[0], sliceTokens: historyTokens(sections[0]!) };
      sameParts(`slice of ${path} of ${source.id}`, slice, answer);
    }
  }
};
