import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CertificateText } from './certificate-pdf.ts';

/** Typesetting takes the time of many calls, loading the library more: a thread does it, one certificate after the other. */
let last: Promise<unknown> = Promise.resolve();

/** The PDF of a certificate. @throws Error when it cannot be typeset */
export function printCertificate(certificate: CertificateText): Promise<Uint8Array> {
  const printed = last.then(
    () => print(certificate),
    () => print(certificate),
  );
  last = printed.catch(() => {});
  return printed;
}

async function print(certificate: CertificateText): Promise<Uint8Array> {
  const thread = new Worker(new URL('./certificate-thread.ts', import.meta.url), {
    workerData: certificate,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: 192 },
  });
  try {
    const [pdf] = (await once(thread, 'message')) as [Uint8Array];
    return pdf;
  } finally {
    await thread.terminate();
  }
}
