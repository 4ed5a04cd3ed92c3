/** Made when somebody first asks, and then for all. What could not be made is tried again for the next one who asks. */
export function createMadeOnce<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | null = null;
  return () => {
    if (made !== null) return made;
    const making = make();
    made = making;
    making.catch(() => {
      made = null; // who waits for it is told
    });
    return making;
  };
}
