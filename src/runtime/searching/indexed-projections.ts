import { bodiesProjection } from '../../../projections/bodies/bodies.ts';
import { changelogFilesProjection } from '../../../projections/changelog-files/changelog-files.ts';
import { orgProjection } from '../../../projections/org/org.ts';
import { productProjection } from '../../../projections/product/product.ts';
import { releaseDetailProjection } from '../../../projections/release-detail/release-detail.ts';
import { sourceProjection } from '../../../projections/source/source.ts';
import type { Projection } from '../../kernel/projection.ts';

/** What documents are made of: events are indexed when all of these have seen them. */
export const indexedProjections: readonly Projection[] = [
  releaseDetailProjection,
  bodiesProjection,
  sourceProjection,
  productProjection,
  orgProjection,
  changelogFilesProjection,
];
