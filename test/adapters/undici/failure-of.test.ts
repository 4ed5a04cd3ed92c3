import { expect, it } from 'vitest';
import { failureOf } from '../../../src/adapters/undici/failure-of.ts';
import { HttpFailure } from '../../../src/ports/http-client.ts';

const coded = (code: string, rest: object = {}): Error => Object.assign(new Error(code), { code, ...rest });

const codes: Readonly<Record<HttpFailure['reason'], readonly string[]>> = {
  timeout: ['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT'],
  dns: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA'],
  tls: [
    ...['EPROTO', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_TLS_HANDSHAKE_TIMEOUT', 'ERR_SSL_WRONG_VERSION_NUMBER'],
    ...['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ERR_OSSL_EVP_UNSUPPORTED', 'CERT_HAS_EXPIRED'],
    ...['CERT_NOT_YET_VALID', 'CERT_REVOKED', 'CERT_UNTRUSTED', 'CRL_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ...['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ...['ERROR_IN_CERT_NOT_AFTER_FIELD', 'INVALID_CA', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED'],
    ...['HOSTNAME_MISMATCH', 'UNSPECIFIED'],
  ],
  network: [
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EMFILE'],
    ...['UND_ERR_SOCKET', 'UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_DESTROYED'],
    ...['UND_ERR_CLOSED', 'HPE_INVALID_CONSTANT', 'HPE_INVALID_CHUNK_SIZE', ''],
  ],
};

it.each(Object.entries(codes))('%s: %j', (reason, ofReason) => {
  for (const code of ofReason) {
    const error = coded(code);
    expect(failureOf(error)).toBeInstanceOf(HttpFailure);
    expect(failureOf(error), code).toMatchObject({ reason, cause: error });
  }
});

it('a name that cannot be asked for is a matter of names, whatever the code', () => {
  expect(failureOf(coded('EINVAL', { syscall: 'getaddrinfo' }))).toMatchObject({ reason: 'dns' });
});

it('all attempts on the addresses of a name count as the first', () => {
  const attempts = new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]);
  expect(failureOf(Object.assign(attempts, { code: 'ECONNREFUSED' }))).toMatchObject({ reason: 'network' });
});

it('a request that could never be sent is no failure of the receiver', () => {
  for (const code of ['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']) {
    const error = coded(code);
    expect(failureOf(error)).toBe(error);
  }
});
