import { z } from 'zod';
import type { NameEvent, OwnerFenceEvent } from '../../domain/name/events.ts';
import { type NameCategory, parseStream } from '../../kernel/stream-name.ts';
import { type PublicationsOf, publish } from './publication.ts';
import { count } from './values.ts';

// Somebody chose the name; only of which kind it is leaves.
const nameKind = z.enum(['slug', 'domain', 'package', 'handle'] satisfies NameCategory[]);
const kindOf = (stream: string) => parseStream(stream).category as NameCategory;

export const namePublications: PublicationsOf<NameEvent | OwnerFenceEvent> = {
  'NameClaimed.v1': null,
  'NameReleased.v1': null,
  'Abandoned.v1': publish({ nameKind }, ({ name }) => ({ nameKind: kindOf(name) })),
  'ClaimForfeited.v1': publish({ nameKind, claimVersion: count }, ({ name, claimVersion }) => ({
    nameKind: kindOf(name),
    claimVersion,
  })),
};
