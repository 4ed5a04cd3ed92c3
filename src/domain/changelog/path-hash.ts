import { createHash } from 'node:crypto';

/** Stands for the path of a file where the path itself must not stay. */
export const pathHash = (path: string): string => createHash('sha256').update(path).digest('hex').slice(0, 32);
