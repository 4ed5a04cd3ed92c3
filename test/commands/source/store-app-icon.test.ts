import { expect, test } from 'vitest';
import { storeAppIcon } from '../../../commands/source/store-app-icon.ts';
import { deletedOrg, liveOrg, sourceCreated } from '../../spec/events/entity-events.ts';
import { given } from '../../spec/given-when-then.ts';

const sourceId = 'src_AAAAAAAAAAAAAAAAAAAAA';
const iconUrl = 'https://example.com/icon.png';
const facts = { org: liveOrg };
const app = (metadata: object) => sourceCreated({ type: 'appstore', metadata: { ...metadata } });

test('adds the icon of an app to what is said of it, once', () => {
  const [event] = given(storeAppIcon, [app({ note: 1, appStore: { platform: 'ios' } })])
    .when({ sourceId, iconUrl }, { facts })
    .events();
  const metadata = { note: 1, appStore: { platform: 'ios', iconUrl } };
  expect(event).toEqual({ type: 'SourceChanged.v1', data: { changed: { metadata } } });
  given(storeAppIcon, [app(metadata)])
    .when({ sourceId, iconUrl }, { facts })
    .thenNothing();
});

test('is refused for a source that is not there', () => {
  given(storeAppIcon, [app({})])
    .when({ sourceId, iconUrl }, { facts: { org: deletedOrg } })
    .thenFails('not_found');
});
