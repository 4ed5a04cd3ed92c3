/** Of the parameters as sent, those that a route knows: any other is ignored, by its cursors too. */
export const knownParameters = (
  query: { readonly shape: object },
  sent: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(query.shape, name)));
