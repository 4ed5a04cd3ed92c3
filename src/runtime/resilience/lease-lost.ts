/** Another process does this work now. */
export class LeaseLost extends Error {
  constructor(name: string) {
    super(`the lease on ${name} was taken over`);
    this.name = 'LeaseLost';
  }
}
