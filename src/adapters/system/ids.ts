import { randomUUID } from 'node:crypto';
import type { Ids } from '../../ports/ids.ts';

const lastParts = Array.from({ length: 65_536 }, (_, number) => number.toString(16).padStart(4, '0'));

/** A random beginning, and numbers behind it: every answer has one, and to be random costs ten times as much. */
function createCountedIds(): () => string {
  let beginning = '';
  let number = lastParts.length;
  return () => {
    if (number === lastParts.length) {
      beginning = randomUUID().slice(0, -4);
      number = 0;
    }
    const id = beginning + lastParts[number]!;
    number += 1;
    return id;
  };
}

export const systemIds: Ids = { commandId: () => randomUUID(), requestId: createCountedIds() };
