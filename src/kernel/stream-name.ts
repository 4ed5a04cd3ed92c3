/** The kinds of stream there are. A stream's name is `<category>-<id>`, so the category ends at the first hyphen. */
export type StreamCategory =
  | 'registry'
  | 'org'
  | 'product'
  | 'source'
  | 'overview'
  | 'playbook'
  | 'summary'
  | 'changelog'
  | 'release'
  | 'collection'
  | 'tag'
  | 'notice'
  | 'body'
  | 'texts'
  | 'token'
  | 'webhook'
  | NameCategory;

/** Streams that reserve a name for one owner. */
export type NameCategory = 'slug' | 'domain' | 'package' | 'handle';

export interface StreamRef {
  readonly name: string;
  readonly category: string;
  readonly id: string;
}

/** Holds the identity of the store; its first event is the first event of all. */
export const registryStream = 'registry';

export const streamOf = (category: StreamCategory, id: string): string => `${category}-${id}`;

export function parseStream(name: string): StreamRef {
  const hyphen = name.indexOf('-');
  if (hyphen < 0) return { name, category: name, id: '' };
  return { name, category: name.slice(0, hyphen), id: name.slice(hyphen + 1) };
}
