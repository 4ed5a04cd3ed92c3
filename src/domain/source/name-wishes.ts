import type { NameWish } from '../../kernel/command.ts';
import { packageName } from '../name/name-streams.ts';
import type { PackageRef } from './events.ts';
import { packageKey } from './packages.ts';

const packageWish = (ref: PackageRef): NameWish => ({
  field: 'package',
  candidates: [{ value: packageKey(ref), stream: packageName(ref.ecosystem, ref.name) }],
});

/** Every name that a source with this slug and these packages holds. */
export const sourceNameWishes = (slug: NameWish, packages: readonly PackageRef[]): Record<string, NameWish> => ({
  slug,
  ...Object.fromEntries(packages.map((ref) => [`package:${packageKey(ref)}`, packageWish(ref)])),
});
