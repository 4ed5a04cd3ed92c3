import { z } from 'zod';
import type { ChangelogEvent } from '../../src/domain/changelog/events.ts';
import { changelog, namesText } from '../../src/domain/changelog/state.ts';
import { defineCommand } from '../../src/kernel/command.ts';
import { sourceId } from '../../src/kernel/ids.ts';
import { streamOf } from '../../src/kernel/stream-name.ts';

/** Makes sure that a text which no file names is never named. What a file names stays. */
export const abandonChangelogText = defineCommand({
  name: 'AbandonChangelogText',
  input: z.strictObject({ sourceId, key: z.string() }),
  stream: ({ sourceId }) => streamOf('changelog', sourceId),
  model: changelog,
  decide: ({ key }, state): ChangelogEvent[] =>
    namesText(state, key) ? [] : [{ type: 'ChangelogTextAbandoned.v1', data: { key } }],
});
