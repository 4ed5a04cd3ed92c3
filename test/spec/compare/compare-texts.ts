import { changelogSlice } from '../../../queries/sources/changelog-slice.ts';
import { summariesList } from '../../../queries/sources/summaries-list.ts';
import type { NaiveSource } from '../naive/naive-registry.ts';
import {
  type NaiveChangelogFile,
  naiveChangelogFiles,
  naiveFileUrl,
  naiveRawUrl,
  naiveSummaries,
} from '../naive/naive-texts.ts';
import { historyTokens } from '../random-history/source-texts.ts';
import { answerOf, type Comparison, publicly, same } from './comparison.ts';

const fileOf = (source: NaiveSource, file: NaiveChangelogFile) => {
  const { path, content, fetchedAt } = file;
  const url = naiveFileUrl(source, file);
  return { path, filename: path.split('/').at(-1), url, bytes: Buffer.byteLength(content), fetchedAt };
};

/** Contract 5.4: of a large file they are estimated. */
const totalTokensOf = ({ content }: NaiveChangelogFile): number =>
  Buffer.byteLength(content) < 262_144 ? historyTokens(content) : Math.ceil(content.length / 4);

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
    const sliceOf = (file: NaiveChangelogFile, content: string) => ({
      ...fileOf(source, file),
      rawUrl: naiveRawUrl(source, file),
      totalChars: file.content.length,
      totalTokens: totalTokensOf(file),
      truncated: false,
      content,
      offset: 0,
      limit: content.length,
      nextOffset: content.length === file.content.length ? null : content.length,
      files: files.map((each) => fileOf(source, each)),
    });
    const expected = meant && sliceOf(meant, meant.content);
    same(`changelog of ${source.id}`, expected ? { answer: expected } : { refused: 'not_found' }, whole);
    for (const file of files) {
      const { path } = file;
      const [section = ''] = file.content.split(/^(?=# )/m);
      const answer = await changelogSlice(reading, document, { ...none, path, tokens: 1 });
      const slice = { ...sliceOf(file, section), tokens: 1, sliceTokens: historyTokens(section) };
      same(`slice of ${path} of ${source.id}`, slice, answer);
    }
  }
};
