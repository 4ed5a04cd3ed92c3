import { randomBytes } from 'node:crypto';

/** Small letters and digits, so that it can be part of the name of an index. */
export const newId = (): string => randomBytes(8).toString('hex');
