import { HttpFailure } from '../../ports/http-client.ts';

// A request that could never be sent as it is: a fault of who calls, which no receiver and no retry can mend.
const misuse = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']);

const timeout = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;

const dns = /^(ENOTFOUND|EAI_[A-Z]+)$/;

// The handshake, and the names that OpenSSL has for what can be wrong with a certificate (`x509_vfy.h`); Node says
// UNSPECIFIED for those that it has no name for.
const tls = new RegExp(
  '^(ERR_(TLS|SSL|OSSL)_.*|EPROTO|(CERT|CRL|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|ERROR_IN)_.*' +
    '|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|UNSPECIFIED)$',
);

/** Refused, reset, cut off in the middle, too large a head, not HTTP at all: all that is left is the network. */
const reasonOf = (code: string, syscall: unknown): HttpFailure['reason'] => {
  if (timeout.test(code)) return 'timeout';
  if (dns.test(code) || syscall === 'getaddrinfo') return 'dns';
  return tls.test(code) ? 'tls' : 'network';
};

/** What a caller is told when the driver gave up. */
export const failureOf = (error: Error): Error => {
  const { code = '', syscall }: NodeJS.ErrnoException = error;
  return misuse.has(code) ? error : new HttpFailure(reasonOf(code, syscall), error);
};
