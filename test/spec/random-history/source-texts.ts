import { storeChangelogFile } from '../../../commands/changelog/store-changelog-file.ts';
import { writeSummary } from '../../../commands/summary/write-summary.ts';
import { outlineOf } from '../../../src/domain/changelog/outline.ts';
import type { Command } from '../../../src/kernel/command.ts';
import type { DomainEvent } from '../../../src/kernel/event.ts';
import type { Seeded } from '../seeded.ts';

type Run = <Input, State, E extends DomainEvent, Facts extends object>(
  command: Command<Input, State, E, Facts>,
  input: object,
) => Promise<unknown>;

const contents = ['', '# One\nRockets.\n', '# Two\nAnvils.\n# One\nRockets.\n', 'No heading at all – 🚀\n'];

/** As nobody counts again, any number will do that comes to the same however a text is cut. */
export const historyTokens = (text: string): number => 2 * text.length;

/** What agents write about a source; of few values, so that they are often replaced or the same again. */
export function createSourceTexts(random: Seeded, run: Run) {
  const summary = (sourceId: string) => {
    const said = { summary: random.pick(['Quiet.', 'Busy.', 'Faster.']), releaseCount: random.int(0, 2) };
    const subject = random.pick([
      { type: 'rolling' },
      { type: 'rolling', windowDays: random.pick([7, 30]) },
      { type: 'monthly', year: random.int(2028, 2031), month: random.int(1, 12) },
    ]);
    return run(writeSummary, { sourceId, fields: { ...said, ...subject } });
  };
  const changelog = async (sourceId: string) => {
    const content = random.chance(3) ? `# Long\n${'long "line" 🚀\n'.repeat(30_000)}` : random.pick(contents);
    const path = random.pick(['CHANGELOG.md', 'CHANGELOG.md', 'NEWS.md', 'docs/changelog.md']);
    const outline = await outlineOf(content, async (texts) => texts.map(historyTokens));
    const address = random.chance(20) ? { url: 'https://example.com/file' } : {};
    return run(storeChangelogFile, { sourceId, file: { path, content, ...address }, outline });
  };
  return (sourceId: string): Promise<unknown> => random.pick([summary, changelog])(sourceId);
}
