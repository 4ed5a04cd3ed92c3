/** A connection string without what must not be read by everyone: user, password and options. */
export const addressOf = (url: string): string => url.replace(/^([a-z+]+:\/\/)?.*@/is, '$1').replace(/\?.*$/s, '');
