export interface Pagination {
  readonly page: number;
  readonly pageSize: number;
  readonly returned: number;
  readonly totalItems: number;
  readonly totalPages: number;
  readonly hasMore: boolean;
}

export interface Page<Item> {
  readonly items: Item[];
  readonly pagination: Pagination;
}

export const pagination = (page: number, pageSize: number, returned: number, totalItems: number): Pagination => ({
  page,
  pageSize,
  returned,
  totalItems,
  totalPages: Math.max(1, Math.ceil(totalItems / pageSize)),
  hasMore: page * pageSize < totalItems,
});

/** What a page is taken out of: an array, or whatever makes only the items that are taken out. */
export interface Sliced<Item> {
  readonly length: number;
  readonly slice: (from: number, to: number) => Item[];
}

/** One page of a list; past the end it is empty. */
export const pageOf = <Item>(
  all: Sliced<Item>,
  { page, limit }: { readonly page: number; readonly limit: number },
): Page<Item> => {
  const items = all.slice((page - 1) * limit, page * limit);
  return { items, pagination: pagination(page, limit, items.length, all.length) };
};
