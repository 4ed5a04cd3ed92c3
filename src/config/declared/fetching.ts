import { address, credential, onOrOff, setting, wholeNumber } from '../setting-kinds.ts';

/** How third parties are read that tell about sources. */
export const fetchingSettings = {
  FETCH_ALLOW_PRIVATE_TARGETS: setting(
    {
      description:
        'The same for third parties that are asked, such as a GitHub inside the network or a model on this machine; webhooks go by their own setting.',
      mustBe: 'on or off',
      fallback: 'off',
    },
    onOrOff.prefault('off'),
  ),
  FETCH_SCHEDULE: setting(
    {
      description:
        'Whether sources are fetched by themselves, as often as their priority says. Off, only what somebody asks for is fetched. Imported sources and those of the demo are paused and never fetched by themselves.',
      mustBe: 'on or off',
      fallback: 'on',
    },
    onOrOff.prefault('on'),
  ),
  FETCH_CONCURRENCY: setting(
    {
      description: 'How many sources a process fetches at once.',
      mustBe: 'a whole number from 1 to 256',
      fallback: '16',
    },
    wholeNumber(256)
      .refine((number) => number >= 1)
      .prefault('16'),
  ),
  GITHUB_API_URL: address(
    'Where lookups ask about GitHub repositories; `https://<host>/api/v3` for a GitHub of your own.',
    'https://api.github.com',
  ),
  GITHUB_RAW_URL: address(
    'Where the changelog files of GitHub repositories are read, as `<address>/<owner>/<repo>/HEAD/<path>`.',
    'https://raw.githubusercontent.com',
  ),
  GITHUB_TOKEN: credential(
    'A credential for it, which raises its limits; private repositories are not looked up with it either.',
  ),
  APPSTORE_URL: address(
    'Where the versions of apps are looked up, as `<address>/lookup?id=<number>`.',
    'https://itunes.apple.com',
  ),
  VIDEO_FEED_URL: address('Where the feeds of video channels are read.', 'https://www.youtube.com/feeds/videos.xml'),
  FETCH_PER_HOST: setting(
    {
      description:
        'How many sources of one host a process fetches at once, and how many requests it has there; 0 lifts the limit.',
      mustBe: 'a whole number from 0 to 1000',
      fallback: '2',
    },
    wholeNumber(1_000).prefault('2'),
  ),
};
