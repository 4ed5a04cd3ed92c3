import { once } from 'node:events';
import { connect } from 'node:net';

const apiVersionsKey = 18;
const correlationId = 4711;

/** Size, then the request header in its first version: the API, its version 0, a number to know the answer by, no client. */
function apiVersionsRequest(): Buffer {
  const request = Buffer.alloc(14);
  request.writeInt32BE(request.length - 4, 0);
  request.writeInt16BE(apiVersionsKey, 4);
  request.writeInt32BE(correlationId, 8);
  request.writeInt16BE(-1, 12);
  return request;
}

/** Asks a broker for the APIs that it speaks, the first thing that every client does, and returns their keys. */
export async function kafkaApiKeys(broker: string): Promise<number[]> {
  const [host = '', port] = broker.split(':');
  const socket = connect(Number(port), host);
  try {
    await once(socket, 'connect');
    socket.write(apiVersionsRequest());
    let answer = Buffer.alloc(0);
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      answer = Buffer.concat([answer, bytes]);
      if (answer.length >= 4 && answer.length >= 4 + answer.readInt32BE(0)) break;
    }
    const [answered, errorCode, count] = [answer.readInt32BE(4), answer.readInt16BE(8), answer.readInt32BE(10)];
    if (answered !== correlationId || errorCode !== 0) throw new Error(`Kafka answered with the error ${errorCode}`);
    return Array.from({ length: count }, (_, index) => answer.readInt16BE(14 + index * 6)); // key, least, most
  } finally {
    socket.destroy();
  }
}
