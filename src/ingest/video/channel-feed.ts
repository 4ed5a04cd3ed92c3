/** What the feed of a channel is asked for with, such as `channel_id=UC…`. */
export type ChannelQuery = string;

const idPattern = /^[\w-]{1,100}$/;

const queryOf = (parameter: string, id: unknown): ChannelQuery | null =>
  typeof id === 'string' && idPattern.test(id) ? `${parameter}=${id}` : null;

const videoFields = (metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  const { video } = metadata;
  return typeof video === 'object' && video !== null ? (video as Record<string, unknown>) : {};
};

/** Told by the source's metadata or its address; null for an address that only its page can tell about (`/@name`). */
export function channelQuery(url: string, metadata: Readonly<Record<string, unknown>>): ChannelQuery | null {
  const { channelId, playlistId } = videoFields(metadata);
  const { pathname, searchParams } = new URL(url);
  const [, place, id] = pathname.split('/');
  return (
    queryOf('channel_id', channelId) ??
    queryOf('playlist_id', playlistId) ??
    (place === 'channel' ? queryOf('channel_id', id) : null) ??
    (place === 'user' ? queryOf('user', id) : null) ??
    queryOf('playlist_id', searchParams.get('list')) ??
    queryInFeedAddress(url)
  );
}

/** Of the address that a channel's page gives for its feed. */
export function queryInFeedAddress(address: string): ChannelQuery | null {
  const { searchParams } = new URL(address);
  for (const parameter of ['channel_id', 'playlist_id', 'user']) {
    const query = queryOf(parameter, searchParams.get(parameter));
    if (query !== null) return query;
  }
  return null;
}
