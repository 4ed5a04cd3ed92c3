import { type ServiceError, status } from '@grpc/grpc-js';
import { grpcFailure } from './grpc-failure.ts';
import type { CallFault, FailureStatus } from './standin-command.ts';

type Kind = CallFault['fault'];
type FaultOf<K extends Kind> = Extract<CallFault, { fault: K }>;

/** The faults that tests of the EventStoreDB stand-in have armed. */
export interface Faults {
  readonly arm: (fault: CallFault) => void;
  readonly clear: () => void;
  /** The oldest armed fault of this kind, used up once by this call. */
  readonly take: <K extends Kind>(kind: K, method?: string) => FaultOf<K> | undefined;
}

export const createFaults = (): Faults => {
  let armed: { fault: CallFault; left: number }[] = [];
  return {
    arm: (fault) => {
      armed.push({ fault, left: fault.times ?? 1 });
    },
    clear: () => {
      armed = [];
    },
    take: <K extends Kind>(kind: K, method?: string) => {
      const found = armed.find(
        ({ fault }) => fault.fault === kind && (method === undefined || ('method' in fault && fault.method === method)),
      );
      if (!found) return undefined;
      found.left -= 1;
      if (found.left <= 0) armed = armed.filter((one) => one !== found);
      return found.fault as FaultOf<K>;
    },
  };
};

export const faultStatus = (name: FailureStatus): ServiceError =>
  grpcFailure(status[name], 'A fault that a test asked for.');
