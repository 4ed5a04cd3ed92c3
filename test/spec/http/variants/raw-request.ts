/** A request as it travels, however strange. */
export interface RawRequest {
  readonly method: string;
  /** What stands in the request line, byte by byte in Latin-1. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly version?: '1.0' | '1.1';
  readonly body?: string;
}

const hasHost = ({ headers }: RawRequest): boolean => headers.some(([name]) => name.toLowerCase() === 'host');

export function bytesOfRequest(request: RawRequest): Buffer {
  const { method, target, headers, version = '1.1', body = '' } = request;
  const sent = hasHost(request) ? headers : [['Host', 'registry.example'] as const, ...headers];
  const lines = sent.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines}\r\n${body}`, 'latin1');
}

/** For a message: what cannot be printed is shown as its code. */
export const tellRequest = ({ method, target, headers, version = '1.1' }: RawRequest): string => {
  const shown = target.length > 120 ? `${target.slice(0, 120)}… (${target.length})` : target;
  return JSON.stringify([method, shown, version, ...headers.map(([name, value]) => `${name}: ${value.slice(0, 60)}`)]);
};
