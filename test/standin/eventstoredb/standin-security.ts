import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSelfSignedCertificate } from '../../spec/tls/self-signed-certificate.ts';
import type { StandinSecurity } from './standin-process.ts';

/** A user and a certificate for a stand-in, whose files lie in this folder. */
export function createStandinSecurity(folder: string, password: string): StandinSecurity {
  const { certificate, privateKey } = createSelfSignedCertificate();
  const certificateFile = join(folder, 'certificate.pem');
  const keyFile = join(folder, 'key.pem');
  writeFileSync(certificateFile, certificate);
  writeFileSync(keyFile, privateKey, { mode: 0o600 });
  return { certificateFile, keyFile, username: 'registry', password };
}
