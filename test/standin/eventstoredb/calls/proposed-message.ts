import type { AppendReq, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision } from '../log/commit-check.ts';
import { handlerThrew, metadataMissing } from '../grpc-failure.ts';
import type { ProposedEvent } from '../log/stored-event.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Throws the server's failure for an event that it would refuse. */
export const readProposed = (message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): ProposedEvent => {
  const metadata = message.getMetadataMap();
  const type = metadata.get('type');
  if (type === undefined) throw metadataMissing('type');
  const contentType = metadata.get('content-type');
  if (contentType === undefined) throw metadataMissing('content-type');
  const id = idOf(message);
  if (!uuid.test(id)) throw handlerThrew();
  return {
    id,
    type,
    isJson: contentType === 'application/json',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
};

function idOf(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): string {
  const structured = message.getId()?.getStructured();
  if (!structured) return message.getId()?.getString().toLowerCase() ?? '';
  const bytes = Buffer.alloc(16);
  bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(structured.getMostSignificantBits())), 0);
  bytes.writeBigInt64BE(BigInt.asIntN(64, BigInt(structured.getLeastSignificantBits())), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

interface ExpectedRevisionOptions {
  readonly hasAny: () => boolean;
  readonly hasNoStream: () => boolean;
  readonly hasStreamExists: () => boolean;
}

/** `exact` is the revision field, which the messages name differently. */
export const readExpected = (options: ExpectedRevisionOptions, exact: string | undefined): ExpectedRevision => {
  if (options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  if (exact === undefined) throw handlerThrew();
  return BigInt(exact);
};

export const streamNameOf = (
  options: { getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined } | undefined,
): string => {
  const name = Buffer.from(options?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
  if (name === '') throw handlerThrew();
  return name;
};
