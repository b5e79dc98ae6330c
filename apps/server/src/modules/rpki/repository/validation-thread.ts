import { parentPort } from 'node:worker_threads';
import { type AuthorityCertificate, type Decoded, decodeCertificate, validateAuthority } from '@portal/rpki-objects';
import { nodeCryptography } from '../authorities/cryptography.ts';
import type { ValidationResponse, ValidationRequest } from './validation-threads.ts';

// Validates authorities as a relying party does, while a large publication is being signed and stored.
parentPort!.on('message', ({ id, now, authorities }: ValidationRequest) => {
  const answer: ValidationResponse = { id, problems: [] };
  try {
    for (const { certificate, files } of authorities) {
      const { problems } = validateAuthority(decodeCertificate(certificate) as Decoded<AuthorityCertificate>, files, {
        now: new Date(now),
        cryptography: nodeCryptography,
      });
      answer.problems.push(...problems.map(({ uri, problem }) => `${uri}: ${problem}`));
    }
  } catch (error) {
    answer.error = (error as Error).message;
  }
  parentPort!.postMessage(answer);
});
