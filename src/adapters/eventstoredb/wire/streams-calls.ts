import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream, ClientReadableStream } from '@grpc/grpc-js';
import type { Connection } from '../client.ts';
import { type BatchAppendAnswer, batchAppendAnswer } from './batch-append-answer.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';

/** Reading, or following when the request says so. */
export const startRead = (
  { grpc, metadata, options }: Connection,
  request: ReadReq,
): ClientReadableStream<ReadAnswer> =>
  grpc.makeServerStreamRequest(
    StreamsService.read.path,
    StreamsService.read.requestSerialize,
    readAnswer,
    request,
    metadata,
    options,
  );

/** Takes any number of appends, and answers each when it is done. */
export const startBatchAppend = ({
  grpc,
  metadata,
  options,
}: Connection): ClientDuplexStream<Buffer, BatchAppendAnswer> =>
  grpc.makeBidiStreamRequest(
    StreamsService.batchAppend.path,
    (bytes: Buffer) => bytes,
    batchAppendAnswer,
    metadata,
    options,
  );
