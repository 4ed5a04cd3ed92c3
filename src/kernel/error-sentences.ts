type Details = Readonly<Record<string, unknown>>;

/** What a person reads of an error, made of what the error itself knows. */
export type Sentence = (details: Details) => string;

const charsMax = 200;

/** A value as it came, cut where it would fill the screen. */
export const quoted = (value: unknown): string => {
  const text = String(value);
  return `\`${text.length > charsMax ? `${text.slice(0, charsMax)}…` : text}\``;
};

const listed = (values: unknown): string => (Array.isArray(values) ? values.map(quoted).join(', ') : '');

interface Issue {
  readonly path: string;
  readonly message: string;
}

/** A message is a whole sentence, or goes on where the name of a field stopped: "must be a number". */
const issueSentence = ({ path, message }: Issue): string => {
  if (path !== '') return `${quoted(path)}: ${message}`;
  return /^[A-Z]/.test(message) ? message : `The body: ${message}`;
};

export const invalidSentence: Sentence = ({ issues }) => {
  if (!Array.isArray(issues) || issues.length === 0) return 'The request is not valid.';
  const [first, ...others] = issues as [Issue, ...Issue[]];
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return `${issueSentence(first).replace(/\.$/, '')}${more}.`;
};

export const parameterSentence: Sentence = ({ parameter, reason }) => `${quoted(parameter)} ${String(reason)}.`;

export const missingSentence: Sentence = ({ parameter }) => `${quoted(parameter)} is missing.`;

export const conflictingSentence: Sentence = ({ parameters }) => `${listed(parameters)} cannot be sent together.`;

export const bareSlugSentence: Sentence = ({ entity }) =>
  `A ${String(entity)} is addressed by its typed id here, or by its path below its org.`;

export const contentTypeSentence: Sentence = ({ received }) =>
  `Send the body as \`application/json\`; it came ${received == null ? 'without a type' : `as ${quoted(received)}`}.`;

export const webhookUrlSentence: Sentence = ({ reason }) => `This webhook URL is not allowed: ${quoted(reason)}.`;

export const forbiddenSentence: Sentence = ({ option }) => `${quoted(option)} needs admin scope.`;

export const scopeSentence: Sentence = ({ required, granted }) =>
  `This needs ${quoted(required)} scope; the credential has ${listed(granted) || 'none'}.`;

export const notFoundSentence: Sentence = ({ entity }) => `There is no such ${String(entity)}.`;

export const conflictSentence: Sentence = ({ field, value }) =>
  value === undefined ? `${quoted(field)} is taken.` : `The ${String(field)} ${quoted(value)} is taken.`;

export const ambiguousSentence: Sentence = ({ entity, slug, candidates }) => {
  const paths = Array.isArray(candidates) ? candidates.map(({ path }: { readonly path: string }) => path) : [];
  return `Several ${String(entity)}s have the slug ${quoted(slug)}: ${listed(paths)}.`;
};

export const reservedSentence: Sentence = ({ slug }) => `The slug ${quoted(slug)} is reserved; choose another.`;

export const tooLargeSentence: Sentence = ({ limitBytes }) => `The body has more than ${String(limitBytes)} bytes.`;

export const rateSentence: Sentence = ({ retryAfterSeconds }) =>
  `Too many requests; ask again in ${String(retryAfterSeconds)} s.`;

export const capSentence: Sentence = ({ cap, max }) =>
  `There are ${String(max)} ${quoted(cap)} already; remove one first.`;

export const setupSentence: Sentence = ({ setup }) => `The store is not set up; run ${listed(setup)}.`;
