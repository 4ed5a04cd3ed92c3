import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Meaning } from '../../../ports/embedder.ts';
import { embeddedPart } from '../embedded-part.ts';
import { modelFile } from '../model-file.ts';
import { createWordPieces } from '../wordpiece.ts';

/** As much of `onnxruntime-node` as is used. It may not be installed, so its own types cannot be relied on. */
interface OnnxRuntime {
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => object;
  readonly InferenceSession: {
    readonly create: (path: string, options: object) => Promise<OnnxSession>;
  };
}

interface OnnxSession {
  readonly run: (
    feeds: Readonly<Record<string, object>>,
    outputs: readonly string[],
  ) => Promise<Readonly<Record<string, { readonly data: Float32Array }>>>;
}

/** The model was made for 256 ids, two of which begin and end the text. */
const piecesMax = 254;
const [beginId, endId] = [101n, 102n];
const output = 'embedding_256';

/** One thread: more would spin while they wait for each other, and the service needs the other core. */
const sessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: 'sequential',
  logSeverityLevel: 3,
};

export interface SentenceModel {
  /** Blocks the whole process while the model computes. */
  readonly embed: (text: string) => Promise<Meaning>;
}

/** Throws where it is not installed, or cannot be linked. */
export const loadOnnxRuntime = (): OnnxRuntime => createRequire(import.meta.url)('onnxruntime-node') as OnnxRuntime;

/** One text a run, so that a vector never depends on what was embedded with it. */
export async function loadSentenceModel({ Tensor, InferenceSession }: OnnxRuntime): Promise<SentenceModel> {
  const session = await InferenceSession.create(modelFile('minilm/model.onnx'), sessionOptions);
  const { idsOf, unknownId } = createWordPieces(readFileSync(modelFile('minilm/vocab.txt'), 'utf8'));

  return {
    embed: async (text) => {
      const pieces = idsOf(embeddedPart(text), piecesMax);
      if (pieces.every((id) => id === unknownId)) return null; // a vector there would be, but one that means nothing
      const ids = BigInt64Array.from([beginId, ...pieces.map(BigInt), endId]);
      const shape = [1, ids.length];
      const feeds = {
        input_ids: new Tensor('int64', ids, shape),
        attention_mask: new Tensor('int64', new BigInt64Array(ids.length).fill(1n), shape),
      };
      const answer = await session.run(feeds, [output]);
      return Float32Array.from(answer[output]!.data);
    },
  };
}
