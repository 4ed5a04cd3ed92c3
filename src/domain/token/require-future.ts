import { DomainError } from '../../kernel/errors.ts';

export function requireFuture(expiresAt: string | null | undefined, now: string): void {
  if (expiresAt != null && Date.parse(expiresAt) <= Date.parse(now)) {
    throw new DomainError('validation_failed', { issues: [{ path: 'expiresAt', message: 'must be in the future' }] });
  }
}
