/** What a request was told about the limit that it counts for. */
export interface Counted {
  readonly isRefused: boolean;
  /** How many more are let in now. */
  readonly left: number;
  /** Until some of what was counted is no longer: 1 to 60. */
  readonly seconds: number;
}

/** How many requests each client sent in the last minute. */
export interface SlidingCounts {
  /** Counts a request, unless it is one too many. */
  readonly take: (client: number, nowMs: number) => Counted;
  /** Counts what was let in elsewhere, also beyond the limit. */
  readonly add: (client: number, counted: { readonly count: number; readonly ageMs: number }, nowMs: number) => void;
}

export const windowSeconds = 60;

/** Clients whose numbers have the same remainder share these places. */
const placesPerGroup = 8;
/** What two bytes hold. Nobody sends more in a second than one process can answer. */
const perSecondMax = 65_535;

/**
 * The minute is counted by its seconds: the present one and the 59 before it. So whoever sends at exactly the rate that
 * is announced is never refused, and never has to wait for more than 60 s.
 *
 * The places are as many as they are: memory is taken once, and the system gives it as it is used. A newcomer takes an
 * empty place of its group; else that of the client with the least requests, and what was counted there with it. A
 * client that is refused is never driven out: while all places of a group are such, a newcomer is refused too. So
 * whoever floods the service from many addresses can have others counted too high, and nobody anew.
 */
export function createSlidingCounts(limit: number, groups: number): SlidingCounts {
  const places = groups * placesPerGroup;
  /** One more than the client's number; 0 is nobody. */
  const clients = new Float64Array(places);
  /** By place, then by second modulo 60. */
  const perSecond = new Uint16Array(places * windowSeconds);
  const sums = new Uint32Array(places);
  /** The newest second that a place knows of. */
  const newest = new Uint32Array(places);

  const clear = (place: number): void => {
    perSecond.fill(0, place * windowSeconds, (place + 1) * windowSeconds);
    sums[place] = 0;
  };

  /** Forgets the seconds that are over. */
  const slide = (place: number, second: number): void => {
    if (sums[place] === 0) newest[place] = second; // there is nothing to forget
    const passed = second - newest[place]!;
    // A clock that was set back by more than a window would keep what was counted until it is there again.
    if (passed >= windowSeconds || passed <= -windowSeconds) clear(place);
    else if (passed <= 0) return;
    else {
      const first = place * windowSeconds;
      for (let each = second; each > second - passed; each -= 1) {
        const slot = first + (each % windowSeconds);
        sums[place]! -= perSecond[slot]!;
        perSecond[slot] = 0;
      }
    }
    newest[place] = second;
  };

  const placeOf = (client: number, second: number): number => {
    const first = (client % groups) * placesPerGroup;
    const end = first + placesPerGroup;
    for (let place = first; place < end; place += 1) {
      if (clients[place] !== client + 1) continue;
      slide(place, second);
      return place;
    }
    let least = first;
    for (let place = first; place < end; place += 1) {
      slide(place, second);
      if (sums[place]! < sums[least]!) least = place;
    }
    if (sums[least]! < limit) clients[least] = client + 1;
    return least;
  };

  const count = (place: number, second: number, asked: number): void => {
    const slot = place * windowSeconds + (second % windowSeconds);
    const counted = Math.min(asked, perSecondMax - perSecond[slot]!);
    perSecond[slot]! += counted;
    sums[place]! += counted;
  };

  /** Until so many of those counted, and one more, are over. */
  const secondsUntil = (place: number, many: number): number => {
    const first = place * windowSeconds;
    const end = first + windowSeconds;
    let slot = first + (newest[place]! % windowSeconds);
    let over = 0;
    for (let ahead = 1; ahead < windowSeconds; ahead += 1) {
      slot = slot + 1 === end ? first : slot + 1; // the oldest second stands behind the newest
      over += perSecond[slot]!;
      if (over > many) return ahead;
    }
    return windowSeconds;
  };

  return {
    take: (client, nowMs) => {
      const place = placeOf(client, Math.floor(nowMs / 1_000));
      const excess = sums[place]! - limit;
      if (excess >= 0) return { isRefused: true, left: 0, seconds: secondsUntil(place, excess) };
      count(place, newest[place]!, 1);
      return { isRefused: false, left: -excess - 1, seconds: secondsUntil(place, 0) };
    },
    add: (client, { count: counted, ageMs }, nowMs) => {
      const second = Math.floor((nowMs - Math.max(0, ageMs)) / 1_000);
      const place = placeOf(client, Math.floor(nowMs / 1_000));
      const isItsOwn = clients[place] === client + 1; // whoever is refused does not wait longer because of others
      if (isItsOwn && newest[place]! - second < windowSeconds) count(place, second, counted);
    },
  };
}
