import { parentPort } from 'node:worker_threads';
import { type AuthorityCertificate, type Decoded, decodeCertificate, judgeAuthority } from '@portal/rpki-objects';
import { nodeCryptography } from '../authorities/cryptography.ts';
import type { JudgingAnswer, JudgingQuestion } from './judging-threads.ts';

// Reads what authorities publish as a relying party does, so that a large publication is signed and stored meanwhile.
parentPort!.on('message', ({ id, now, authorities }: JudgingQuestion) => {
  const answer: JudgingAnswer = { id, problems: [] };
  try {
    for (const { certificate, files } of authorities) {
      const { problems } = judgeAuthority(decodeCertificate(certificate) as Decoded<AuthorityCertificate>, files, {
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
