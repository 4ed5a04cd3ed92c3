import { itemLabel } from '../../domain/release/derived/outline.ts';
import { parseVersion, versionStep } from '../../kernel/version/versions.ts';
import type { ContributingRelease } from '../content-provider.ts';
import type { TextBlock } from './text-blocks.ts';

/** What the headings and labels of changelogs say about what stands below them. The first that matches decides. */
const sections: readonly (readonly [RegExp, weight: number])[] = [
  [/contributor|thank|acknowledg|sponsor|full changelog|checksum|download|assets/, Number.NEGATIVE_INFINITY],
  [/breaking/, 6],
  [/security|vulnerab|cve-/, 5],
  [/deprecat|remov/, 4],
  [/feat|added|new|highlight/, 4],
  [/improv|enhanc|perf|change/, 3],
  [/fix|bug/, 2],
  [/dependen|deps|chore|\bci\b|build|test|docs|documentation|internal|refactor|style/, 0],
];
const unfiled = 2;

const sectionWeight = (name: string): number | undefined => sections.find(([pattern]) => pattern.test(name))?.[1];

/** Of what has no words of its own to tell about it. */
const bare =
  /^(?:full changelog|compare|release notes|see (?:the )?(?:full )?(?:changelog|release notes)|bump |merge |merged |update dependency|updated? dependencies|thanks|[0-9a-f]{7,40}\b)/i;

/** How much a block counts by where it stands and what it is filed under. */
export function blockWeight({ text, isItem, headings }: TextBlock): number {
  if (bare.test(text)) return Number.NEGATIVE_INFINITY;
  const label = isItem ? itemLabel(text).toLowerCase() : '';
  for (const name of [label, ...headings]) {
    const weight = name === '' ? undefined : sectionWeight(name);
    if (weight !== undefined) return weight;
  }
  // What a release begins with, before any heading, is usually what it is about.
  return isItem || headings.length > 0 ? unfiled : unfiled + 1.5;
}

const versionWeights = { major: 2, minor: 1, patch: 0 } as const;

function versionWeight(text: string | null): number {
  const version = text === null ? null : parseVersion(text);
  return version === null ? 0 : versionWeights[versionStep(version)];
}

/** How much a release counts: by what it changes, by its version, and less the more releases came after it. */
export const releaseWeight = ({ breaking, importance, version }: ContributingRelease, newerCount: number): number =>
  (breaking === 'major' ? 2 : 0) + (importance ?? 2) + versionWeight(version) - 0.2 * newerCount;
