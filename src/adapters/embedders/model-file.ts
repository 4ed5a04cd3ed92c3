import { fileURLToPath } from 'node:url';

/** `assets/models/`, seen from the sources and from what is built of them. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../../assets/models/' : '../../../../assets/models/',
  import.meta.url,
);

/** Where a file of a model lies: `static/vocab.txt`. */
export const modelFile = (name: string): string => fileURLToPath(new URL(name, folder));

/** The vectors of both models there have the same axes: they may be compared. */
export const miniLmSpace = 'minilm-256';
