import { z } from 'zod';
import { address, credential, setting, wholeNumber } from '../setting-kinds.ts';

const contentProviders = ['extractive', 'openai', 'off'] as const;

/** Who writes overviews, summaries and names of releases. */
export const contentSettings = {
  CONTENT_PROVIDER: setting(
    {
      description:
        'Who writes overviews and summaries: `extractive` picks sentences of the releases, `openai` asks a model, which also names releases; `off` writes nothing.',
      mustBe: `one of ${contentProviders.join(', ')}`,
      fallback: 'extractive',
    },
    z.enum(contentProviders).prefault('extractive'),
  ),
  OPENAI_BASE_URL: address(
    'Where the model is asked: any address that has the chat completions of OpenAI below it.',
    'https://api.openai.com/v1',
  ),
  OPENAI_API_KEY: credential('The credential for it, where it wants one.'),
  OPENAI_MODEL: setting(
    {
      description: 'The name of the model.',
      mustBe: '1 to 200 visible ASCII characters',
      fallback: 'gpt-4o-mini',
    },
    z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/)
      .prefault('gpt-4o-mini'),
  ),
  OPENAI_TIMEOUT: setting(
    {
      description: 'How many seconds the model has for one answer; it is asked three times.',
      mustBe: 'a whole number of seconds from 1 to 600',
      fallback: '60',
    },
    wholeNumber(600)
      .refine((seconds) => seconds >= 1)
      .prefault('60'),
  ),
  ENRICHMENTS_PER_MINUTE: setting(
    {
      description: 'So many new releases are named by the model in a minute at most; 0 has none named.',
      mustBe: 'a whole number from 0 to 6000',
      fallback: '10',
    },
    wholeNumber(6_000).prefault('10'),
  ),
};
