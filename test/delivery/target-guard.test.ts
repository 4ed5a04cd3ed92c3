import { describe, expect, it } from 'vitest';
import { createTargetGuard } from '../../src/delivery/target-guard.ts';

const publicAddresses = ['93.184.216.34', '2606:2800:220:1::1'];

/** A name server that answers every name in the same way, and remembers who was asked for. */
const guardWith = (answer: readonly string[], allowPrivate = false) => {
  const asked: string[] = [];
  const addresses = async (name: string): Promise<readonly string[]> => {
    asked.push(name);
    return answer;
  };
  return { ...createTargetGuard({ resolver: { addresses }, allowPrivate }), asked };
};

const strict = guardWith(publicAddresses);
const lenient = guardWith([], true);

const urlOfLength = (length: number): string => 'https://example.com/'.padEnd(length, 'a');

describe('the form of a target', () => {
  it.each([
    'https://example.com',
    'https://example.com/',
    'https://hooks.example.com/a/b?c=d#e',
    'HTTPS://EXAMPLE.COM/',
    'https://example.com:443/',
    'https://example.com:1024/',
    'https://example.com:65535/',
    'https://example.com./',
    'https://bücher.example/',
    'https://xn--bcher-kva.example/',
    'https://a_b.example.com/',
    'https://localhost.example.com/',
    'https://mylocal.example/',
    'https://notlocal.alocal/',
    'https://8.8.8.8/',
    'https://134744072/',
    'https://[2606:4700:4700::1111]/',
    urlOfLength(2_048),
  ])('%s may be one', (url) => expect(strict.checkForm(url)).toBeNull());

  it.each([
    ['invalid_url', ['', 'example.com', '/hook', '//example.com/hook', 'hook?a=b', 'https', 'https:', 'https://']],
    ['invalid_url', ['https:example.com', 'https:/example.com', 'https:///example.com', 'https:\\\\example.com']],
    ['invalid_url', ['https://?a=b', 'https://:443/', 'mailto:a@example.com', 'file:///etc/passwd', 'data:,a']],
    ['invalid_url', [' https://example.com', 'https://example.com\n', 'https://exa\tmple.com', 'https://exa mple.com']],
    ['invalid_url', ['https://example.com:65536/', 'https://example.com:x/', 'https://[::1', 'https://1.2.3.256/']],
    ['invalid_url', ['https://./', 'https://a..example.com/', 'https://localhost../', 'https://127.0.0.1../']],
    ['too_long', [urlOfLength(2_049), urlOfLength(100_000)]],
    ['not_https', ['http://example.com/', 'ftp://example.com/', 'ws://example.com/', 'gopher://example.com/']],
    ['credentials', ['https://user@example.com/', 'https://user:word@example.com/', 'https://:word@example.com/']],
    ['port', ['https://example.com:0/', 'https://example.com:80/', 'https://example.com:442/']],
    ['port', ['https://example.com:444/', 'https://example.com:1023/', 'https://example.com:00022/']],
    ['internal_host', ['https://intranet/', 'https://com./', 'https://localhost/', 'https://metadata/']],
    ['internal_host', ['https://metadata.google.internal/', 'https://instance-data/', 'https://home.arpa/']],
    ['internal_host', ['https://LOCALHOST/', 'https://localhost./', 'https://a.localhost./', 'https://loc%61lhost/']],
    ['internal_host', ['https://ⓛocalhost/', 'https://localhost。/', 'https://a.ｌocal/', 'https://lo\u00adcalhost/']],
    ['private_address', ['https://127.0.0.1/', 'https://127.0.0.1./', 'https://127.1/', 'https://2130706433/']],
    ['private_address', ['https://0x7f000001/', 'https://0x7f.0.0.1/', 'https://0177.0.0.1/', 'https://017700000001/']],
    ['private_address', ['https://１２７.0.0.1/', 'https://%31%32%37.0.0.1/', 'https://0/', 'https://10.1/']],
    ['private_address', ['https://169.254.169.254/latest/meta-data', 'https://255.255.255.255/']],
    ['private_address', ['https://[::1]/', 'https://[::]/', 'https://[0:0:0:0:0:0:0:1]/', 'https://[fe80::1]:8443/']],
    ['private_address', ['https://[::ffff:8.8.8.8]/', 'https://[::ffff:7f00:1]/', 'https://[64:ff9b::8.8.8.8]/']],
  ])('%s: %j', (reason, urls) => {
    expect(urls.map((url) => [url, strict.checkForm(url)])).toEqual(urls.map((url) => [url, reason]));
  });

  it.each([
    ...['localhost', 'local', 'internal', 'intranet', 'lan', 'home', 'corp', 'home.arpa', 'onion', 'test', 'invalid'],
  ])('a name under .%s is internal', (suffix) => {
    const urls = [`https://a.${suffix}/`, `https://a.b.${suffix}./`, `https://A.${suffix.toUpperCase()}:8443/`];
    expect(urls.map(strict.checkForm)).toEqual(['internal_host', 'internal_host', 'internal_host']);
    expect(strict.checkForm(`https://a.${suffix}.example/`)).toBeNull();
    expect(strict.checkForm(`https://a-${suffix}.example/`)).toBeNull();
  });

  it('is refused for the first of several reasons, in the order of the table', () => {
    const credentials = 'user:word@';
    expect([
      strict.checkForm(`http:/${credentials}localhost:22/${'a'.repeat(2_048)}`),
      strict.checkForm(`http://${credentials}localhost:22/${'a'.repeat(2_048)}`),
      strict.checkForm(`http://${credentials}localhost:22/`),
      strict.checkForm(`https://${credentials}localhost:22/`),
      strict.checkForm('https://localhost:22/'),
      strict.checkForm('https://127.0.0.1:22/'),
      strict.checkForm('https://localhost/'),
    ]).toEqual(['invalid_url', 'too_long', 'not_https', 'credentials', 'port', 'port', 'internal_host']);
  });

  it('asks no name server', () => expect(strict.asked).toEqual([]));
});

describe('vetting a target', () => {
  it('gives the addresses that the connection may go to', async () => {
    const { vet, asked } = guardWith(publicAddresses);
    expect(await vet('https://Bücher.example.:8443/hook')).toEqual({ kind: 'allowed', addresses: publicAddresses });
    expect(asked).toEqual(['xn--bcher-kva.example']);
  });

  it.each([
    ['https://8.8.8.8/', '8.8.8.8'],
    ['https://0x08080808/', '8.8.8.8'],
    ['https://[2606:4700:4700:0::1111]:8443/', '2606:4700:4700::1111'],
  ])('%s is its own address', async (url, address) => {
    const { vet, asked } = guardWith([]);
    expect(await vet(url)).toEqual({ kind: 'allowed', addresses: [address] });
    expect(asked).toEqual([]);
  });

  it.each([
    ...[
      '10.0.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '::1',
      '::ffff:93.184.216.34',
      'fd00::1',
      'fe80::1%eth0',
      'nonsense',
    ],
  ])('refuses a name with %s among its addresses', async (address) => {
    const refused = { kind: 'refused', reason: 'private_address' };
    for (const answer of [[address], [...publicAddresses, address], [address, ...publicAddresses]]) {
      expect(await guardWith(answer).vet('https://example.com/')).toEqual(refused);
    }
  });

  it('refuses a name without addresses', async () => {
    expect(await guardWith([]).vet('https://example.com/')).toEqual({ kind: 'refused', reason: 'dns_failed' });
  });

  it('begins with the form, and then asks no name server', async () => {
    const { vet, asked } = guardWith(publicAddresses);
    expect(await vet('https://localhost/')).toEqual({ kind: 'refused', reason: 'internal_host' });
    expect(await vet('https://127.1/')).toEqual({ kind: 'refused', reason: 'private_address' });
    expect(await vet('nonsense')).toEqual({ kind: 'refused', reason: 'invalid_url' });
    expect(asked).toEqual([]);
  });
});

describe('with private targets allowed', () => {
  it.each([
    'http://localhost:3000/hook',
    'http://127.0.0.1:80/',
    'https://[::1]:22/',
    'https://metadata.google.internal/',
    'https://example.com/',
  ])('%s is one, wherever the name leads', async (url) => {
    expect(lenient.checkForm(url)).toBeNull();
    expect(await lenient.vet(url)).toEqual({ kind: 'allowed', addresses: null });
  });

  it.each([
    ['localhost:3000', 'invalid_url'],
    ['http://', 'invalid_url'],
    [urlOfLength(2_049), 'too_long'],
    ['ftp://localhost/', 'not_https'],
    ['http://user:word@localhost/', 'credentials'],
  ])('%s is still none', async (url, reason) => {
    expect(lenient.checkForm(url)).toBe(reason);
    expect(await lenient.vet(url)).toEqual({ kind: 'refused', reason });
  });

  it('asks no name server', () => expect(lenient.asked).toEqual([]));
});
