/** So many may be at one name at once, 0 any number. */
export interface NamedPlaces {
  readonly isFull: (name: string) => boolean;
  /** Whoever is in calls the function when it leaves; null when it is full. */
  readonly enter: (name: string) => (() => void) | null;
}

export function createNamedPlaces(perNameMax: number): NamedPlaces {
  /** Only names that somebody is at. */
  const taken = new Map<string, number>();
  const isFull = (name: string) => perNameMax > 0 && (taken.get(name) ?? 0) >= perNameMax;
  return {
    isFull,
    enter: (name) => {
      if (isFull(name)) return null;
      taken.set(name, (taken.get(name) ?? 0) + 1);
      return () => {
        const left = (taken.get(name) ?? 1) - 1;
        if (left === 0) taken.delete(name);
        else taken.set(name, left);
      };
    },
  };
}
