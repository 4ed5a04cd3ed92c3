import { isNative, startNativeServer } from './native-server.ts';

export const hasNativeKafka = (): boolean => isNative('kafka', 'Kafka');

export async function startNativeKafka() {
  const { address, ...server } = await startNativeServer('kafka');
  return { ...server, brokers: address };
}

export type NativeKafka = Awaited<ReturnType<typeof startNativeKafka>>;
