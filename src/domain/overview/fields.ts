import { z } from 'zod';
import { releaseId } from '../../kernel/ids.ts';
import { cleanText, lineText } from '../../kernel/text-rules.ts';
import { filledText } from '../filled-text.ts';
import { moment } from '../moment.ts';
import { httpUrl } from '../web-address.ts';

// One append holds it all: with the longest content beside them, this keeps it under 900 KB.
const citationBytesMax = 200 * 1024;

const index = z.int().min(0);

const citation = z.strictObject({
  sourceUrl: httpUrl,
  title: lineText(1, 500).exactOptional(),
  releaseId: releaseId.exactOptional(),
  releaseWebUrl: httpUrl.nullable().exactOptional(),
  startIndex: index.exactOptional(),
  endIndex: index.exactOptional(),
  citedText: cleanText(0, 2000).exactOptional(),
});

const citations = z
  .array(citation)
  .max(200)
  .refine((list) => Buffer.byteLength(JSON.stringify(list)) <= citationBytesMax, {
    error: `must take at most ${citationBytesMax} bytes as JSON`,
  });

/** At most 600 KB as JSON, however it is escaped. */
export const longText = filledText(1, 100_000);

export const overviewFields = z
  .strictObject({
    content: longText,
    releaseCount: z.int().min(0),
    lastContributingReleaseAt: moment.nullable().exactOptional(),
    generatedAt: moment.exactOptional(),
    citations: citations.exactOptional(),
  })
  .superRefine(({ content, citations: list = [] }, context) => {
    for (const [number, { startIndex = 0, endIndex = content.length }] of list.entries()) {
      if (startIndex <= endIndex && endIndex <= content.length) continue;
      const message = `must lie within the ${content.length} characters of the content, the start before the end`;
      context.addIssue({ code: 'custom', path: ['citations', number], message });
    }
  });
