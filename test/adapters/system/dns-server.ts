import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

export type DnsAnswer = readonly string[] | 'nxdomain' | 'servfail' | 'refused' | 'silent';

/** What is said about the addresses of a name; one word for both kinds, or each its own. */
export type DnsZone = Readonly<Record<string, DnsAnswer | { readonly a: DnsAnswer; readonly aaaa: DnsAnswer }>>;

export interface DnsServer {
  /** As name servers are given to a resolver. */
  readonly address: string;
  /** Every question that came, as `name A` or `name AAAA`. */
  readonly asked: readonly string[];
  readonly close: () => Promise<void>;
}

// RFC 1035, and RFC 3596 for AAAA.
const headerBytes = 12;
const types: Readonly<Record<number, 'a' | 'aaaa'>> = { 1: 'a', 28: 'aaaa' };
const codes = { nxdomain: 3, servfail: 2, refused: 5 };

interface Question {
  readonly name: string;
  readonly type: 'a' | 'aaaa';
  /** As it came: an answer repeats it. */
  readonly bytes: Buffer;
}

const questionOf = (query: Buffer): Question => {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = types[query.readUInt16BE(at + 1)];
  if (type === undefined) throw new Error('only addresses are asked for');
  return { name: labels.join('.').toLowerCase(), type, bytes: query.subarray(headerBytes, at + 5) };
};

const bytesOf = (address: string): Buffer => {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [before = [], after = []] = address.split('::').map((side) => side.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
};

const recordOf = (address: string): Buffer => {
  const data = bytesOf(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 | headerBytes, 0); // the name of the question
  head.writeUInt16BE(data.length === 4 ? 1 : 28, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(3_600, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
};

const answerTo = (query: Buffer, { bytes }: Question, answer: Exclude<DnsAnswer, 'silent'>): Buffer => {
  const records = typeof answer === 'string' ? [] : answer.map(recordOf);
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2); // its id
  header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? codes[answer] : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, bytes, ...records]);
};

/** A name server on this machine that knows the given names, and of others that there are none. */
export const startDnsServer = async (zone: DnsZone): Promise<DnsServer> => {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const question = questionOf(query);
    const { name, type } = question;
    asked.push(`${name} ${type.toUpperCase()}`);
    const about = zone[name] ?? 'nxdomain';
    const answer = typeof about === 'object' && 'a' in about ? about[type] : about;
    if (answer === 'silent') return;
    const ofType = typeof answer === 'string' ? answer : answer.filter((one) => isIPv4(one) === (type === 'a'));
    socket.send(answerTo(query, question, ofType), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
};
