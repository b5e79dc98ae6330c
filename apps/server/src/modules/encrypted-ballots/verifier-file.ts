import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

const file = new URL('../../../../../packages/ballots/verifier/check-ballot.html', import.meta.url);

/**
 * `/elections/check-ballot.html`: the file with which a voter checks an opened ballot. It is saved and opened from the disk, where nothing of the registry can change it. It has a
 * script of its own, so no browser may show it here.
 */
export function verifierFile(app: FastifyInstance): void {
  app.get('/elections/check-ballot.html', async (_request, reply) =>
    reply
      .header('content-disposition', 'attachment; filename="check-ballot.html"')
      .header('cache-control', 'no-cache')
      .type('application/octet-stream')
      .send(await readFile(file)),
  );
}
