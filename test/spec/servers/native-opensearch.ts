import { spawnSync } from 'node:child_process';
import { isNative, stackScript, startNativeServer } from './native-server.ts';

export const hasNativeOpenSearch = (): boolean => isNative('opensearch', 'OpenSearch');

export async function startNativeOpenSearch() {
  const { address, ...server } = await startNativeServer('opensearch');
  return { ...server, url: address };
}

export type NativeOpenSearch = Awaited<ReturnType<typeof startNativeOpenSearch>>;

/** Where the server of the native stack that the suites share keeps its files. */
export const nativeOpenSearchFolder = (): string =>
  spawnSync(stackScript('opensearch'), ['folder'], { encoding: 'utf8' }).stdout.trim();
