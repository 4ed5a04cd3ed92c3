import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../log/stored-event.ts';

/** The server counts in ticks of 100 ns. */
const ticksPerMs = 10_000n;

/** Ids as text or as two numbers, as the reader asked. */
export const eventMessage = (event: StoredEvent, asText: boolean): ReadResp => {
  const recorded = new streamsPb.ReadResp.ReadEvent.RecordedEvent();
  const position = String(event.position);
  recorded
    .setId(asText ? new sharedPb.UUID().setString(event.id) : structured(event.id))
    .setStreamIdentifier(new sharedPb.StreamIdentifier().setStreamName(Buffer.from(event.stream)))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(position)
    .setPreparePosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.isJson ? 'application/json' : 'application/octet-stream')
    .set('created', String(BigInt(event.createdMs) * ticksPerMs));
  const read = new streamsPb.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position);
  return new streamsPb.ReadResp().setEvent(read);
};

function structured(id: string) {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  const value = new sharedPb.UUID.Structured();
  value.setMostSignificantBits(String(bytes.readBigInt64BE(0)));
  value.setLeastSignificantBits(String(bytes.readBigInt64BE(8)));
  return new sharedPb.UUID().setStructured(value);
}

export const notFoundMessage = (stream: string): ReadResp => {
  const notFound = new streamsPb.ReadResp.StreamNotFound();
  notFound.setStreamIdentifier(new sharedPb.StreamIdentifier().setStreamName(Buffer.from(stream)));
  return new streamsPb.ReadResp().setStreamNotFound(notFound);
};

export const confirmationMessage = (id: string): ReadResp =>
  new streamsPb.ReadResp().setConfirmation(new streamsPb.ReadResp.SubscriptionConfirmation().setSubscriptionId(id));

export const checkpointMessage = (position: bigint): ReadResp => {
  const checkpoint = new streamsPb.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(position)).setPreparePosition(String(position));
  return new streamsPb.ReadResp().setCheckpoint(checkpoint);
};

export const caughtUpMessage = (): ReadResp => new streamsPb.ReadResp().setCaughtUp(new streamsPb.ReadResp.CaughtUp());

export const fellBehindMessage = (): ReadResp =>
  new streamsPb.ReadResp().setFellBehind(new streamsPb.ReadResp.FellBehind());
