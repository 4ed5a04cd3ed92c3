import { expect, it } from 'vitest';
import { isUrl, parseUrl } from '../../../src/kernel/address/parse-url.ts';

it('knows an address however often it is asked', () => {
  const addresses = ['https://bücher.example/', 'https://plain.example/'];
  let refused = 0;
  for (let time = 0; time < 200_000; time += 1) if (!isUrl(addresses[time % 2]!)) refused += 1;
  expect(refused).toBe(0);
});

it('takes a base, and nothing that is no address', () => {
  expect(parseUrl('../b', 'https://a.example/x/y')?.href).toBe('https://a.example/b');
  expect(parseUrl('../b')).toBeNull();
  expect(parseUrl('https://')).toBeNull();
});
