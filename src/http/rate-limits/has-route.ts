import { createRemembered } from './remembered.ts';

/** Whether anything answers this method at this path, which may have a query behind it. */
export type HasRoute = (method: string, url: string) => boolean;

export const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
};

/**
 * Of letters that mean themselves. What else a request line may hold (`http://host/v1/orgs`, `/v1/orgs#x`, backslashes), Koa
 * reads as a path of its own: that may have a route, whatever it looks like here.
 */
export const isPlainPath = (url: string): boolean => /^\/[!"$-[\]-~]*$/.test(url);

/** To look through all routes takes as long as to answer a request that is refused; floods ask for the same again and again. */
export function createHasRoute(find: (method: string, path: string) => boolean): HasRoute {
  const remembered = createRemembered((line) => {
    const end = line.indexOf(' ');
    return find(line.slice(0, end), line.slice(end + 1)) ? 1 : 0;
  });
  return (method, url) => remembered(`${method} ${pathOf(url)}`) === 1;
}
