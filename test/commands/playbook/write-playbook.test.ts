import { describe, test } from 'vitest';
import { removePlaybook } from '../../../commands/playbook/remove-playbook.ts';
import { writePlaybook } from '../../../commands/playbook/write-playbook.ts';
import type { PlaybookEvent } from '../../../src/domain/playbook/events.ts';
import { org } from '../../../src/domain/org/state.ts';
import { acme, orgCreated, orgDeleted } from '../../spec/events/entity-events.ts';
import { given, stateAfter, testNow } from '../../spec/given-when-then.ts';

const facts = { org: stateAfter(org, [orgCreated()]) };
const gone = { org: stateAfter(org, [orgCreated(), orgDeleted]) };
const written: PlaybookEvent = { type: 'PlaybookWritten.v1', data: { content: 'Ask first.', updatedAt: testNow } };
const removed: PlaybookEvent = { type: 'PlaybookRemoved.v1', data: { removedAt: testNow } };
const input = { orgId: acme, content: 'Ask first.' };

describe('a playbook', () => {
  test('is written once, and the same again is nothing new', () => {
    given(writePlaybook).when(input, { facts }).then([written]);
    given(writePlaybook, [written]).when(input, { facts }).thenNothing();
    given(writePlaybook, [written, removed]).when(input, { facts }).then([written]);
  });

  test('is removed when there is one', () => {
    given(removePlaybook, [written]).when({ orgId: acme }, { facts }).then([removed]);
    given(removePlaybook, [written, removed]).when({ orgId: acme }, { facts }).thenNothing();
  });

  test('needs an org that is there', () => {
    given(writePlaybook).when(input, { facts: gone }).thenFails('not_found', { entity: 'org' });
    given(removePlaybook, [written]).when({ orgId: acme }, { facts: gone }).thenFails('not_found', { entity: 'org' });
  });
});
