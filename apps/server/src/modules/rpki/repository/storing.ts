import { sql } from 'kysely';
import type { Change } from '../../../platform/database/index.ts';
import { type DelegatedFile, storeDelegatedFiles } from '../children/child-messages.ts';
import type { Product } from '../drafts.ts';
import { type Desk, type Publication, uriOf, type Work } from './authority-work.ts';
import { type FileChange, recordPublication } from './rrdp-records.ts';

/** Stores the files, numbers and certificates, and gives the publication its serial. */
export async function store(
  desk: Desk,
  products: readonly Product[],
  delegated: readonly DelegatedFile[],
): Promise<Omit<Publication, 'lost'>> {
  const { change, works, removed } = desk;
  const before = new Map(
    (
      await change.rows<{ uri: string; sha256: Buffer }>(
        sql`select uri, sha256 from rpki_object where uri = any(${[...products.map(({ uri }) => uri), ...removed.keys()]}::text[])`,
      )
    ).map(({ uri, sha256 }) => [uri, sha256]),
  );
  const published = new Map(products.map(product => [product.uri, product]));
  const gone = [...removed.keys()].filter(uri => !published.has(uri));
  const changes: FileChange[] = [
    ...gone.map(uri => ({ uri, before: before.get(uri) ?? null, after: null })),
    ...products
      .filter(({ kind }) => kind !== 'trust-anchor')
      .map(({ uri, content }) => ({ uri, before: before.get(uri) ?? null, after: content })),
    ...delegated.map(({ uri, before: old, after }) => ({ uri, before: old, after })),
  ];
  const as = await recordPublication(change, changes, async ({ serial }) => {
    await change.rows(sql`delete from rpki_object where uri = any(${gone}::text[])`);
    await storeProducts(desk, [...published.values()], serial);
    await storeDelegatedFiles(change, delegated, { serial, now: desk.now });
  });
  await storeNumbers(
    change,
    works.filter(({ isTouched, isGone }) => isTouched && !isGone),
  );
  await storeCertificates(desk, published);
  await change.note({ serial: as.serial, files: changes.length });
  return { ...as, files: changes };
}

async function storeProducts({ change, works }: Desk, all: readonly Product[], serial: number): Promise<void> {
  const keyIds = new Map(works.flatMap(({ row, files }) => [...files.keys()].map(uri => [uri, row.keyId] as const)));
  await change.rows(sql`insert into rpki_object (uri, key_id, kind, content, sha256, modified_at, serial, not_before, not_after, subject, roa_ids, published_in)
    select uri, key_id, kind, content, sha256, modified_at, serial, not_before, not_after, subject, string_to_array(roa_ids, ',')::bigint[], ${serial}
    from (select uri, key_id, kind, content, sha256, modified_at, serial, not_before, not_after, subject, roa_ids from unnest(${all.map(({ uri }) => uri)}::text[], ${all.map(({ uri }) => keyIds.get(uri)!)}::bigint[],
      ${all.map(({ kind }) => kind)}::text[], ${all.map(({ content }) => Buffer.from(content))}::bytea[], ${all.map(({ sha256 }) => Buffer.from(sha256))}::bytea[],
      ${all.map(({ modifiedAt }) => modifiedAt.toISOString())}::timestamptz[], ${all.map(({ serial: own }) => own)}::text[],
      ${all.map(({ notBefore }) => notBefore.toISOString())}::timestamptz[], ${all.map(({ notAfter }) => notAfter.toISOString())}::timestamptz[], ${all.map(({ subject }) => subject)}::text[],
      ${all.map(({ roaIds }) => roaIds.join())}::text[])
      as given (uri, key_id, kind, content, sha256, modified_at, serial, not_before, not_after, subject, roa_ids)) made
    on conflict (uri) do update set key_id = excluded.key_id, kind = excluded.kind, content = excluded.content, sha256 = excluded.sha256,
      modified_at = excluded.modified_at, serial = excluded.serial, not_before = excluded.not_before, not_after = excluded.not_after,
      subject = excluded.subject, roa_ids = excluded.roa_ids, published_in = excluded.published_in`);
}

async function storeNumbers(change: Change, works: readonly Work[]): Promise<void> {
  const issues = works.map(({ issue }) => issue!);
  await change.rows(sql`insert into rpki_manifest (key_id, number, this_update, next_update)
    select * from unnest(${works.map(({ row }) => row.keyId)}::bigint[], ${issues.map(({ number }) => number)}::bigint[],
      ${issues.map(({ thisUpdate }) => thisUpdate.toISOString())}::timestamptz[], ${issues.map(({ nextUpdate }) => nextUpdate.toISOString())}::timestamptz[])
    on conflict (key_id) do update set number = excluded.number, this_update = excluded.this_update, next_update = excluded.next_update`);
}

async function storeCertificates({ change, works, places }: Desk, published: ReadonlyMap<string, Product>): Promise<void> {
  const gone = works.filter(({ isGone }) => isGone).map(({ row }) => row.keyId);
  if (gone.length > 0)
    await change.rows(sql`update rpki_key set certificate = null, certificate_serial = null, not_before = null, not_after = null, resources = '{}'
      where key_id = any(${gone}::bigint[]) and certificate is not null`);
  const certified = works.flatMap(work => {
    const made = work.isGone ? undefined : published.get(uriOf(work, places));
    return made ? [{ row: work.row, made }] : [];
  });
  if (certified.length === 0) return;
  await change.rows(sql`update rpki_key k set certificate = m.content, certificate_serial = m.serial, not_before = m.not_before, not_after = m.not_after,
      resources = string_to_array(m.resources, ',')
    from unnest(${certified.map(({ row }) => row.keyId)}::bigint[], ${certified.map(({ made }) => Buffer.from(made.content))}::bytea[],
      ${certified.map(({ made }) => made.serial)}::text[], ${certified.map(({ made }) => made.modifiedAt.toISOString())}::timestamptz[],
      ${certified.map(({ made }) => made.notAfter.toISOString())}::timestamptz[], ${certified.map(({ row }) => row.resources.join())}::text[])
      as m (key_id, content, serial, not_before, not_after, resources)
    where k.key_id = m.key_id`);
}
