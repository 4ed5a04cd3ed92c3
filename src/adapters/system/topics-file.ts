import { readFileSync } from 'node:fs';
import type { TopicDeclaration } from '../../ports/message-bus.ts';

/** `ops/topics.json`, seen from the sources and from what is built of them. */
const file = new URL(
  import.meta.url.endsWith('.ts') ? '../../../ops/topics.json' : '../../../../ops/topics.json',
  import.meta.url,
);

export const readTopicsFile = (): TopicDeclaration[] => JSON.parse(readFileSync(file, 'utf8')) as TopicDeclaration[];
