import type { Citation } from '../../domain/overview/events.ts';
import type { ContributingRelease, OverviewDraft } from '../content-provider.ts';
import { cutText } from '../../kernel/text-rules.ts';
import { citedRelease } from '../cited-release.ts';
import { withoutUnseenMarks } from './harmless-inline.ts';
import type { PickedSentence } from './pick-sentences.ts';

const markdownMarks = /[\\`*_{}[\]<>#|~]/g;
const labelCharsMax = 200;

/** A name as text, whatever it holds. */
const escaped = (name: string): string =>
  cutText(withoutUnseenMarks(name), labelCharsMax).replace(markdownMarks, '\\$&');

const headLine = ({ headline, sourceName, webUrl, publishedAt }: ContributingRelease, isOneSource: boolean): string => {
  const label = isOneSource ? headline : `${sourceName}: ${headline}`;
  const day = publishedAt === null ? '' : `, ${publishedAt.slice(0, 10)}`;
  return `**[${escaped(label)}](${webUrl})**${day}`;
};

const citationOf = ({ release, text }: PickedSentence, startIndex: number): Citation => ({
  ...citedRelease(release),
  startIndex,
  endIndex: startIndex + text.length,
  citedText: text,
});

/** The lead, then the picked sentences below the names of their releases; each is cited where it stands. */
export function citedText(lead: string, picked: readonly PickedSentence[], isOneSource: boolean): OverviewDraft {
  const citations: Citation[] = [];
  let content = lead;
  let above: ContributingRelease | null = null;
  for (const sentence of picked) {
    const { release, text } = sentence;
    if (release !== above) content += `\n\n${headLine(release, isOneSource)}\n`;
    above = release;
    content += '\n- ';
    citations.push(citationOf(sentence, content.length));
    content += text;
  }
  return { content: `${content}\n`, citations };
}
