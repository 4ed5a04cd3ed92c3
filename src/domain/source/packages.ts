import { z } from 'zod';
import { cleanText } from '../../kernel/text-rules.ts';
import { compareAlphabetically } from '../alphabetical.ts';
import { packageEcosystems } from '../enumerations.ts';
import { normalizePackageName } from '../name/name-streams.ts';
import type { PackageRef } from './events.ts';

/** Also how a conflict names it. */
export const packageKey = ({ ecosystem, name }: PackageRef): string => `${ecosystem}:${name}`;

const normalizedSet = (packages: readonly PackageRef[]): PackageRef[] => {
  const byKey = new Map<string, PackageRef>();
  for (const { ecosystem, name } of packages) {
    const normalized = { ecosystem, name: normalizePackageName(ecosystem, name) };
    byKey.set(packageKey(normalized), normalized);
  }
  return [...byKey.values()].sort((a, b) => compareAlphabetically(packageKey(a), packageKey(b)));
};

const packageRef = z.strictObject({
  ecosystem: z.enum(packageEcosystems),
  name: cleanText(1, 214).refine((name) => name.trim() !== '' && !/\s/.test(name.trim()), {
    error: 'must be a package name without blanks',
  }),
});

/** The packages whose releases the source tells about. A package belongs to one source only. */
export const packageList = z.array(packageRef).max(50).overwrite(normalizedSet);
