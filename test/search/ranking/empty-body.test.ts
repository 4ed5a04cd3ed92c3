import { expect, it } from 'vitest';
import { saysNothing } from '../../../src/search/ranking/empty-body.ts';

it.each([
  ['', true],
  ['  Fixed a bug. \n', true], // 12 characters
  ['Fixed a bug now', false],
  ['https://github.com/acme/app/compare/v1.0.0...v1.0.1', true],
  ['<https://example.com/changes/1.0.0>', true],
  ['See https://example.com/changes/1.0.0', false],
  ['No changes in this release.', true],
  ['There are no notable changes; the version follows the others.', true],
  ['Version bump only for package @acme/door', true],
  ['**Note:** Version bump only for package @acme/door', true],
  [
    'No changes to the API, but the parser was rewritten: it reads ten times as much in a second and keeps the order of keys now.',
    false,
  ],
  ['Doors open by themselves now.', false],
  ['Fix crash when there are no changes to commit', false],
  ['Fixed version bump for workspaces', false],
  ['Maintenance release: fixes CVE-2026-1234', false],
  ['No changes to the API, but a crash was fixed', false],
  ['Maintenance release.', true],
  ['Bumped version to 2.0.1.', true],
])('of %j: %s', (body, isEmpty) => {
  expect(saysNothing(body)).toBe(isEmpty);
});
