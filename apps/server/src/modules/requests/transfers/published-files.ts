import { createHash } from 'node:crypto';
import { refuse } from '../../../platform/failure.ts';
import type { Module, ModuleContext } from '../../../platform/module.ts';
import { fileMakers, type PublishedText, signerOf } from './file-makers.ts';
import { archivedFile, listArchive } from './published-archive.ts';

type Pages = Parameters<NonNullable<Module['pages']>>[0];

/**
 * `/statistics/`: the files registries publish of their ledger and the public log of transfers, each with its MD5 and its OpenPGP signature, and the key that signs.
 * The latest are made on request; those of each day are stored unchanged, and listed in `files.json`.
 */
export function publishedFiles(
  http: Pages,
  { db, profile, config, clock }: Pick<ModuleContext, 'db' | 'profile' | 'config' | 'clock'>,
): void {
  const registry = profile.statisticsRegistry;
  const signer = signerOf(config, profile);
  const { delegated, extended, transferLog } = fileMakers({ db, profile, clock });
  const latest: Record<string, () => Promise<PublishedText>> = {
    [`delegated-${registry}-latest`]: delegated,
    [`delegated-${registry}-extended-latest`]: extended,
    'signing-key.asc': async () => ({ text: signer.publicKey, type: 'application/pgp-keys' }),
    'transfers_latest.json': transferLog,
    'files.json': async () => ({ text: `${JSON.stringify({ files: await listArchive(db.read) }, null, 1)}\n`, type: 'application/json' }),
  };
  /** The file of a name, with its sum and signature. @throws Failure NOT_FOUND */
  async function find(name: string): Promise<PublishedText & { signature: () => string; stays: boolean }> {
    if (Object.hasOwn(latest, name)) {
      const { text, type } = await latest[name]!();
      return { text, type, signature: () => signer.sign(Buffer.from(text), clock()), stays: false };
    }
    const kept = await archivedFile(db, name);
    if (!kept) throw refuse('NOT_FOUND', { what: 'This file' });
    return { text: kept.text, type: kept.mediaType, signature: () => kept.signature, stays: true };
  }
  http.get('/statistics/*', async (request, reply) => {
    const asked = (request.params as { '*': string })['*'];
    const ending = Object.hasOwn(latest, asked) ? null : /\.(md5|asc)$/.exec(asked);
    const name = ending ? asked.slice(0, -4) : asked;
    const { text, type, signature, stays } = await find(name);
    void reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', stays ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
    if (ending?.[1] === 'asc') return reply.type('application/pgp-signature').send(signature());
    if (ending)
      return reply
        .type('text/plain; charset=utf-8')
        .send(`MD5 (${name.split('/').at(-1)}) = ${createHash('md5').update(text).digest('hex')}\n`);
    return reply.type(type).send(text);
  });
}
