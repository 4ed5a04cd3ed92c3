import { type handleClientStreamingCall, type ServiceError, status } from '@grpc/grpc-js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { appendTooLarge, grpcFailure, streamDeleted } from '../grpc-failure.ts';
import { type AppendReply, takeIn } from './take-append.ts';
import { appendResponse, readAppend } from './append-message.ts';
import type { StandinParts } from '../standin-parts.ts';

/** Append: one call, one stream, all events or none. */
export const appendCall =
  (parts: StandinParts): handleClientStreamingCall<AppendReq, AppendResp> =>
  (call, callback) => {
    const { calls, appendBytesMax } = parts;
    const end = calls.begin('append', call);
    let isAnswered = false;
    const answer = (error: ServiceError | null, response?: AppendResp): void => {
      if (isAnswered || call.cancelled) return;
      isAnswered = true;
      end();
      callback(error, response);
    };
    const reply: AppendReply = {
      done: (outcome, { stream, expected }) => {
        if (outcome.outcome === 'deleted') answer(streamDeleted(stream));
        else answer(null, appendResponse(outcome, expected));
      },
      refuse: answer,
      drop: answer,
    };
    const messages: AppendReq[] = [];
    let bytes = 0;
    let refused = false;
    call.on('data', (message: AppendReq) => {
      messages.push(message);
      bytes += message.getProposedMessage()?.getData_asU8().length ?? 0;
      if (bytes <= appendBytesMax || refused) return;
      refused = true;
      calls.appendSeen();
      answer(appendTooLarge(appendBytesMax));
    });
    const take = (): void => {
      if (refused || call.cancelled) return;
      calls.appendSeen();
      try {
        takeIn(parts, call, () => readAppend(messages, appendBytesMax), reply);
      } catch (error) {
        answer(asFailure(error));
      }
    };
    // A connection that dies in the middle of a request ends its stream too, and only then tells that it was cancelled.
    call.on('end', () => setImmediate(take));
  };

/** A refusal is answered as such; anything else is a defect of the stand-in and says so. */
export function asFailure(error: unknown): ServiceError {
  if (error instanceof Error && 'code' in error && 'metadata' in error) return error as ServiceError;
  return grpcFailure(status.INTERNAL, `EventStoreDB stand-in: ${error instanceof Error ? error.stack : String(error)}`);
}
