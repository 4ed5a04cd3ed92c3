/** Who asks for a key that somebody is already asking for gets the same answer, or failure. */
export function createSharedCalls<Answer>(): (key: string, call: () => Promise<Answer>) => Promise<Answer> {
  const underWay = new Map<string, Promise<Answer>>();
  return (key, call) => {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const begun = call().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}
