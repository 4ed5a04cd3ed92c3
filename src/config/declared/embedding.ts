import { z } from 'zod';
import { address, credential, setting, wholeNumber } from '../setting-kinds.ts';

const embedders = ['minilm', 'static', 'openai', 'off'] as const;
const dimensionsMax = 4_096;

/** Who turns texts into vectors, so that searches find what is meant. */
export const embeddingSettings = {
  EMBEDDER: setting(
    {
      description:
        'Who turns texts into vectors for searches: `minilm` computes them in a process of its own, `static` is many times as fast and finds less, `openai` asks a model; with `off` searches find by words alone.',
      mustBe: `one of ${embedders.join(', ')}`,
      fallback: 'minilm',
    },
    z.enum(embedders).prefault('minilm'),
  ),
  EMBEDDING_BASE_URL: address(
    'Where `openai` asks for vectors: any address that has the embeddings of OpenAI below it.',
    'https://api.openai.com/v1',
  ),
  EMBEDDING_API_KEY: credential('The credential for it, where it wants one.'),
  EMBEDDING_MODEL: setting(
    {
      description: 'The name of its model.',
      mustBe: '1 to 200 visible ASCII characters',
      fallback: 'text-embedding-3-small',
    },
    z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/)
      .prefault('text-embedding-3-small'),
  ),
  EMBEDDING_DIMENSIONS: setting(
    {
      description:
        'How many numbers its vectors have. Without it the model is asked at the start, which fails when it does not answer.',
      mustBe: `a whole number from 1 to ${dimensionsMax}`,
    },
    wholeNumber(dimensionsMax)
      .refine((count) => count >= 1)
      .exactOptional(),
  ),
};
