import { z } from 'zod';
import { textBatches } from '../../concurrency/text-batches.ts';
import { EndpointFailed } from '../../openai/endpoint-failed.ts';
import { createPostJson, type Endpoint, patientWaitsMs } from '../../openai/post-json.ts';
import { readJson } from '../../openai/read-json.ts';
import { type Embedder, EmbedderUnavailable, type Meaning } from '../../ports/embedder.ts';
import { areTextsRefused, createEmbedAccepted, type EmbedBatch, plainText } from './accepted-texts.ts';
import { embeddedPart } from './embedded-part.ts';
import { inTime, queryMsMax } from './in-time.ts';

export interface OpenAiEmbedderDeps extends Endpoint {
  readonly model: string;
  /** How many numbers its vectors have; without it the endpoint is asked before anything is embedded. */
  readonly dimensions?: number | undefined;
  readonly queryMs?: number;
}

const batchLimits = { textsMax: 96, bytesMax: 200_000 };
/** 96 vectors of 4,096 numbers, 25 characters each. */
const answerBytesMax = 10 * 1024 * 1024;
const fillMs = 30_000;

const isVector = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((part) => Number.isFinite(part));

const answer = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.custom<readonly number[]>(isVector) })),
});

/** As far as numbers of 32 bits can tell; null where there is no direction. */
function ofLengthOne(vector: readonly number[]): Meaning {
  const length = Math.hypot(...vector);
  return length > 0 && Number.isFinite(length) ? Float32Array.from(vector, (part) => part / length) : null;
}

/** The key, the model or the address is not the right one. */
const settingsStatuses: ReadonlySet<number | null> = new Set([401, 403, 404]);

const unavailable = (error: unknown): unknown => {
  if (!(error instanceof EndpointFailed)) return error;
  const { reason, status, retryAfterMs } = error;
  const isMisconfigured = reason === 'blocked' || settingsStatuses.has(status) || areTextsRefused(error);
  const notes = { cause: error, retryAfterMs, isMisconfigured };
  const told = status === null ? reason : `${reason} (${status})`;
  return new EmbedderUnavailable(`The endpoint for embeddings failed: ${told}.`, notes);
};

/** One vector for each text, in the order of the texts, whatever the order of the answer. */
function createEmbedBatch({ model, ...endpoint }: OpenAiEmbedderDeps): EmbedBatch {
  const postJson = createPostJson(endpoint);
  return async (input, manner) => {
    const response = await postJson('/embeddings', { model, input }, { answerBytesMax, ...manner });
    const byIndex = new Map(readJson(response, answer).data.map(({ index, embedding }) => [index, embedding]));
    return input.map((_, index) => {
      const vector = byIndex.get(index);
      if (vector === undefined) throw new EndpointFailed('unreadable', { status: response.status });
      return vector;
    });
  };
}

/** The embeddings of any endpoint that speaks like OpenAI's. Rejects with EmbedderUnavailable. */
export async function openOpenAiEmbedder(deps: OpenAiEmbedderDeps): Promise<Embedder> {
  const embedBatch = createEmbedBatch(deps);
  // Apart: what a slow endpoint takes at once is learned by fills, and many short queries tell nothing of it.
  const embedAccepted = { queries: createEmbedAccepted(embedBatch), fills: createEmbedAccepted(embedBatch) };
  const patient = { waitsMs: patientWaitsMs, timeoutMs: fillMs };
  const { queryMs = queryMsMax } = deps;

  async function learnDimensions(): Promise<number> {
    try {
      return (await embedBatch([plainText], patient))[0]!.length;
    } catch (error) {
      throw unavailable(error);
    }
  }

  const dimensions = deps.dimensions ?? (await learnDimensions());
  const name = `openai:${deps.model}:${dimensions}`;

  const checked = (vector: readonly number[] | null): Meaning => {
    if (vector === null) return null;
    if (vector.length === dimensions) return ofLengthOne(vector);
    const sentence = `${deps.model} gave a vector of ${vector.length} numbers, not of ${dimensions}.`;
    throw new EmbedderUnavailable(sentence, { isMisconfigured: true });
  };

  async function embedChecked(
    batch: readonly string[],
    asked: keyof typeof embedAccepted,
    signal: AbortSignal,
  ): Promise<Meaning[]> {
    const manner = asked === 'queries' ? { waitsMs: [], timeoutMs: queryMs } : patient;
    try {
      return (await embedAccepted[asked](batch, { ...manner, signal })).map(checked);
    } catch (error) {
      throw unavailable(error);
    }
  }

  async function embedAll(texts: readonly string[], isQuery: boolean, signal: AbortSignal): Promise<Meaning[]> {
    const parts = texts.map(embeddedPart);
    // An empty text means nothing, and would be refused together with its whole batch.
    const isEmpty = (part: string) => part.trim() === '';
    const given: Meaning[] = [];
    for (const batch of textBatches(
      parts.filter((part) => !isEmpty(part)),
      batchLimits,
    )) {
      given.push(...(await embedChecked(batch, isQuery ? 'queries' : 'fills', signal)));
    }
    let next = 0;
    return parts.map((part) => (isEmpty(part) ? null : given[next++]!));
  }

  return {
    model: name,
    space: name,
    dimensions,
    embed: (texts, options = {}) =>
      inTime(options, queryMs, (signal) => embedAll(texts, options.isQuery ?? false, signal)),
    close: async () => {},
  };
}
