import { generateKeyPairSync, sign } from 'node:crypto';
import { bitString, der, integer, objectId, octetString, sequence, set, utcTime, utf8String } from './der.ts';

export interface SelfSignedCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly privateKey: string;
}

const ecdsaWithSha256 = sequence(objectId('1.2.840.10045.4.3.2'));
const commonName = '2.5.4.3';
const subjectAltName = '2.5.29.17';
const dayMs = 24 * 60 * 60 * 1000;

const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;

/** Of a server on this machine, for a day; its own authority. Node signs and verifies, but writes no certificates. */
export function createSelfSignedCertificate(): SelfSignedCertificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(objectId(commonName), utf8String('localhost'))));
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.of(127, 0, 0, 1)));
  const nowMs = Date.now();
  const content = sequence(
    der(0xa0, integer(2)), // version 3
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(utcTime(new Date(nowMs - dayMs)), utcTime(new Date(nowMs + dayMs))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(objectId(subjectAltName), octetString(names)))),
  );
  return {
    certificate: pem(sequence(content, ecdsaWithSha256, bitString(sign('sha256', content, privateKey)))),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
