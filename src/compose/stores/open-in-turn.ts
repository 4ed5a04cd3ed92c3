import { closeInTurn } from '../../concurrency/close-in-turn.ts';

export type Closable = { readonly close: () => Promise<void> };
export type KeepOpen = <Part extends Closable>(opening: Part | Promise<Part>) => Promise<Part>;

/** What was opened last is closed first, also when the next one does not open. */
export async function openInTurn<Parts extends object>(
  open: (keep: KeepOpen) => Promise<Parts>,
): Promise<Parts & Closable> {
  const closers: (() => Promise<void>)[] = [];
  const keep: KeepOpen = async (opening) => {
    const part = await opening;
    closers.unshift(part.close);
    return part;
  };
  try {
    return { ...(await open(keep)), close: () => closeInTurn(closers) };
  } catch (error) {
    await closeInTurn(closers);
    throw error;
  }
}
