import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Change, Document } from '../../kernel/projection.ts';
import { roughBytes } from '../../kernel/rough-bytes.ts';
import type { ChangesTold } from '../../catalogue/follower.ts';
import type { WrittenReadModel } from '../../runtime/projector/announced-writes.ts';

interface ToldDocument {
  readonly id: string;
  /** Its JSON; null of one that is gone. */
  readonly body: string | null;
}

/** One write of a read model. */
interface ToldWrite {
  readonly name: string;
  readonly generation: number;
  /** Where this process had written to the read model before. */
  readonly after: number;
  readonly position: number;
  readonly documents: readonly ToldDocument[];
}

export interface ToldDocumentsData {
  readonly port: MessagePort;
  readonly unread: SharedArrayBuffer;
  /** Those that somebody follows. */
  readonly names: readonly string[];
}

/** What is more is a catching up, and whoever follows reads it from the store in pages. */
const toldBytesMax = 65_536;
/** Nobody may be asking for a while: then it is read from the store, and does not lie in memory until somebody asks. */
const unreadMax = 128;
/** What is brought in in one go, while whoever waits for an answer shall hardly notice; the store tells more than that in pages. */
const takenMax = { documents: 100, chars: 262_144 };

export type TellDocuments = (written: WrittenReadModel & { readonly position: number }, after: number) => void;

type NamedChange = Exclude<Change<Document>, { readonly kind: 'patchWhere' | 'deleteWhere' }>;

/** What is changed by an index is known to the store alone. */
const namesItsDocument = (change: Change<Document>): change is NamedChange =>
  change.kind !== 'patchWhere' && change.kind !== 'deleteWhere';

const toldDocument = (change: NamedChange): ToldDocument =>
  change.kind === 'put' ? { id: change.doc.id, body: JSON.stringify(change.doc) } : { id: change.id, body: null };

/** The writer's end. What is not told breaks the chain of what is, and so is asked for. */
export function createTellDocuments({ port, unread, names }: ToldDocumentsData): TellDocuments {
  const count = new Int32Array(unread);
  const isFollowed = new Set(names);
  return ({ name, generation, position, changes }, after) => {
    if (!isFollowed.has(name) || Atomics.load(count, 0) >= unreadMax || roughBytes(changes) > toldBytesMax) return;
    if (!changes.every(namesItsDocument)) return;
    const documents = changes.map(toldDocument);
    Atomics.add(count, 0, 1);
    port.postMessage({ name, generation, after, position, documents } satisfies ToldWrite);
  };
}

interface WrittenGeneration {
  readonly name: string;
  readonly generation: number;
  /** Where this process has written to it last. */
  readonly written: number;
}

export interface ToldDocuments {
  /** For a thread that starts: what one before it has told is not read any more. */
  readonly handOver: () => { readonly data: ToldDocumentsData; readonly transfer: readonly MessagePort[] };
  /**
   * Null where not all of it was told, or nobody knows from where on it is wanted: then the store is asked, and nothing of it is kept.
   * What was posted before the call is known.
   */
  readonly changedAfter: <Doc extends Document>(
    generation: WrittenGeneration,
    position: number | null,
  ) => ChangesTold<Doc> | null;
}

/** Up to where each write names the one before it; -1 where there is a gap. */
const endOfChain = (writes: readonly ToldWrite[], position: number): number =>
  writes.reduce((seen, write) => (write.after <= seen ? write.position : -1), position);

/**
 * The reader's end: what the projector of this process has just written is not asked for. Messages are taken when somebody
 * wants to know, not when they come.
 */
export function createToldDocuments(names: readonly string[]): ToldDocuments {
  let port: MessagePort | null = null;
  let unread = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const queues = new Map<string, ToldWrite[]>(names.map((name) => [name, []]));

  function takeMessages(): void {
    for (let got = port && receiveMessageOnPort(port); got; got = receiveMessageOnPort(port!)) {
      Atomics.sub(new Int32Array(unread), 0, 1);
      const write = got.message as ToldWrite;
      const queue = queues.get(write.name)!;
      queue.push(write);
      if (queue.length > unreadMax) queue.shift();
    }
  }

  return {
    handOver: () => {
      port?.close();
      const { port1, port2 } = new MessageChannel();
      port = port1;
      unread = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
      for (const queue of queues.values()) queue.length = 0;
      return { data: { port: port2, unread, names }, transfer: [port2] };
    },
    changedAfter: <Doc extends Document>({ name, generation, written }: WrittenGeneration, position: number | null) => {
      takeMessages();
      const told = queues.get(name)!.splice(0);
      if (position === null) return null;
      const wanted = told.filter((write) => write.generation === generation && write.position > position);
      const seen = endOfChain(wanted, position);
      if (seen < written) return null;
      const documents = wanted.flatMap((write) => write.documents);
      const chars = documents.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
      if (documents.length > takenMax.documents || chars > takenMax.chars) return null;
      return {
        // Under the name of a read model lies what its folds wrote.
        documents: documents.map(({ id, body }) => ({ id, doc: body === null ? null : (JSON.parse(body) as Doc) })),
        position: seen,
      };
    },
  };
}
