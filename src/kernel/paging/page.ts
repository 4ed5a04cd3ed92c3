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

/** One page of a list that is at hand as a whole; past the end it is empty. */
export const pageOf = <Item>(
  all: readonly Item[],
  { page, limit }: { readonly page: number; readonly limit: number },
): Page<Item> => {
  const items = all.slice((page - 1) * limit, page * limit);
  return { items, pagination: pagination(page, limit, items.length, all.length) };
};
