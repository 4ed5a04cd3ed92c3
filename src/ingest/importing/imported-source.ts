import type { SourceType } from '../../domain/enumerations.ts';
import type { PackageRef } from '../../domain/source/events.ts';

/** Where imported releases belong; it is made when it is not there. */
export interface ImportedSource {
  /** When somebody named it so, nothing is made, and what else is known of it does not count. */
  readonly id?: string;
  /** Null: a source of its own. */
  readonly org: { readonly slug: string; readonly name: string } | null;
  readonly slug: string;
  readonly name: string;
  readonly url: string;
  /** Absent where the address tells it. */
  readonly type?: SourceType;
  readonly packages: readonly PackageRef[];
}
