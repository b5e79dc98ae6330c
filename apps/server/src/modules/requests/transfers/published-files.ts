import { refuse } from '../../../platform/failure.ts';
import type { Module, ModuleContext } from '../../../platform/module.ts';
import { todayOf } from '../account-facts.ts';
import { fileMakers, type PublishedBytes, signerOf } from './file-makers.ts';
import { type FileMaker, keptFiles, md5Of } from './kept-files.ts';
import { archivedFile, listArchive } from './published-archive.ts';

type Pages = Parameters<NonNullable<Module['pages']>['serve']>[0];

/** Tables that the statistics are made from, and the log of transfers. */
const statisticsTables = ['delegation', 'pool', 'account', 'statistics_file', 'nir_delegation', 'nir_entity', 'subaccount'];
const logTables = ['resource_request', 'account'];

/**
 * `/statistics/`: the files registries publish of their ledger and the public log of transfers, each with its MD5 and its OpenPGP signature, and the key that signs.
 * The latest are made on request, once for everyone who asks; those of each day are stored unchanged, and listed in `files.json`.
 */
export function publishedFiles(
  http: Pages,
  { db, profile, config, clock }: Pick<ModuleContext, 'db' | 'profile' | 'config' | 'clock'>,
): void {
  const registry = profile.statisticsRegistry;
  const signer = signerOf(config, profile);
  const { delegated, extended, transferLog } = fileMakers({ db, profile, clock });
  const keep = keptFiles({ read: db.read, clock, dayOf: now => todayOf(profile, now) });
  const latest: Record<string, FileMaker> = {
    [`delegated-${registry}-latest`]: { tables: statisticsTables, make: delegated },
    [`delegated-${registry}-extended-latest`]: { tables: statisticsTables, make: extended },
    'signing-key.asc': { tables: [], make: async () => ({ bytes: Buffer.from(signer.publicKey), type: 'application/pgp-keys' }) },
    'transfers_latest.json': { tables: logTables, make: transferLog },
    'files.json': {
      tables: ['published_file'],
      make: async () => ({
        bytes: Buffer.from(`${JSON.stringify({ files: await listArchive(db.read) }, null, 1)}\n`),
        type: 'application/json',
      }),
    },
  };
  /** A signature is made once for a file that is kept. */
  const signatures = new WeakMap<Buffer, string>();
  const signatureOf = (bytes: Buffer): string => {
    const signature = signatures.get(bytes) ?? signer.sign(bytes, clock());
    signatures.set(bytes, signature);
    return signature;
  };
  /** The file of a name, with its signature. @throws Failure NOT_FOUND */
  async function find(name: string): Promise<PublishedBytes & { signature: () => string; stays: boolean }> {
    if (Object.hasOwn(latest, name)) {
      const file = await keep(name, latest[name]!);
      return { ...file, signature: () => signatureOf(file.bytes), stays: false };
    }
    const kept = await archivedFile(db, name);
    if (!kept) throw refuse('NOT_FOUND', { what: 'This file' });
    return { bytes: kept.bytes, type: kept.mediaType, signature: () => kept.signature, stays: true };
  }
  http.get('/statistics/*', async (request, reply) => {
    const asked = (request.params as { '*': string })['*'];
    const ending = Object.hasOwn(latest, asked) ? null : /\.(md5|asc)$/.exec(asked);
    const name = ending ? asked.slice(0, -4) : asked;
    const { bytes, type, signature, stays } = await find(name);
    void reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', stays ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
    if (ending?.[1] === 'asc') return reply.type('application/pgp-signature').send(signature());
    if (ending) return reply.type('text/plain; charset=utf-8').send(`MD5 (${name.split('/').at(-1)}) = ${await md5Of(bytes)}\n`);
    return reply.type(type).send(bytes);
  });
}
