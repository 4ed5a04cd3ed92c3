/** As many as ask within a moment; then all are forgotten at once, which costs nothing. */
const rememberedMax = 8_192;
/** Longer ones are made up, and so many of them would fill the memory. */
const rememberedLengthMax = 256;

/** Computes what a text comes to once, as long as it is asked for often. */
export function createRemembered<Value extends object | number>(
  compute: (text: string) => Value,
): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    if (text.length > rememberedLengthMax) return compute(text);
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const value = compute(text);
    if (known.size >= rememberedMax) known.clear();
    known.set(text, value);
    return value;
  };
}
