import accepts from 'accepts';
import { prefersMarkdown } from '../negotiate.ts';
import { createRemembered } from '../rate-limits/remembered.ts';

export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

interface Headed {
  readonly headers: { readonly accept?: string | undefined; readonly 'accept-encoding'?: string | undefined };
}

type Asked = Parameters<typeof accepts>[0];

const acceptedBy = (headers: Readonly<Record<string, string>>) => accepts({ headers } as Asked);

// Negotiation costs more than the rest of an answer that is ready; headers are nearly always the same few.

const markdownOf = createRemembered((accept) => {
  const accepted = acceptedBy({ accept });
  return { isWanted: prefersMarkdown({ get: () => accept, accepts: accepted.types.bind(accepted) as never }) };
});

/** As `prefersMarkdown` of the whole request. */
export const wantsMarkdown = ({ headers: { accept } }: Headed): boolean =>
  accept !== undefined && accept !== '*/*' && accept !== 'application/json' && markdownOf(accept).isWanted;

const encodingOf = createRemembered((accepted): { readonly encoding: Encoding | null } => {
  const best = acceptedBy({ 'accept-encoding': accepted }).encodings([...encodings, 'identity']);
  return { encoding: encodings.find((encoding) => encoding === best) ?? null };
});

/** By q-values; null where nothing but plain bytes is wanted. */
export const acceptedEncoding = ({ headers }: Headed): Encoding | null => {
  const accepted = headers['accept-encoding'];
  return accepted === undefined || accepted === '' ? null : encodingOf(accepted).encoding;
};
