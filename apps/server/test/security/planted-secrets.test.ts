import { randomBytes } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeOwnFeed } from '../../src/modules/announcements/own-feeds.ts';
import { readProfile } from '../../src/profile.ts';
import { copyKinds } from '../../src/modules/identity/copies/copy-files.ts';
import { addAuthenticator } from '../../src/modules/identity/factors/authenticators.ts';
import { newRecoveryCodes } from '../../src/modules/identity/factors/recovery-codes.ts';
import { makeLink } from '../../src/modules/identity/logins/login-links.ts';
import { findLogin, setPassword } from '../../src/modules/identity/logins/logins.ts';
import { OidcPayloads } from '../../src/modules/identity/protocol/oidc-payloads.ts';
import { signingKeys } from '../../src/modules/identity/sessions/signing-keys.ts';
import { sendMail } from '../../src/modules/mail/mail.ts';
import { sealedKeyName } from '../../src/modules/rpki/authorities/cryptography.ts';
import { newWatcherToken } from '../../src/modules/status-pages/watcher-tokens.ts';
import { modules } from '../../src/modules.ts';
import { backup } from '../../src/platform/database/index.ts';
import { openSecretBox } from '../../src/platform/secret-box.ts';
import { pathFor, type ServedPortal, servedPortal } from '../processes/served-portal.ts';

/** Columns that hold what opens something, and in which form; a new one must be planted here before it is accepted. */
const secretColumns: Record<string, string> = {
  'announcement_feed.address_digest': 'SHA-256 of 24 random bytes: the address of a private feed',
  'api_key_secret.hash': 'SHA-256 of 238 random bits',
  'irt_contact.code_hash': 'SHA-256 of 50 random bits that live for days',
  'login_link.asked': 'of a registration, the hash of its password (argon2id)',
  'login_link.digest': 'SHA-256 of 32 random bytes',
  'login_password.hash': 'argon2id',
  'login_recovery_code.digest': 'SHA-256 of 16 random bytes',
  'login_totp.sealed_secret': 'AES-256-GCM under SECRET_KEY',
  'maintainer_code.code_hash': 'SHA-256 of 50 random bits that live for a day',
  'maintainer_last_user.code_hash': 'SHA-256 of 50 random bits that live for a day',
  'mail.sealed_link': 'AES-256-GCM under SECRET_KEY',
  'nrtm_key.sealed_private': 'AES-256-GCM under SECRET_KEY',
  'oidc_payload.id': 'SHA-256 of what the browser or client holds',
  'oidc_payload.payload': 'without the ids it belongs to',
  'rpki_key.sealed_private': 'AES-256-GCM under SECRET_KEY, or what a hardware module calls it',
  'rpki_one_time_key.sealed_private': 'AES-256-GCM under SECRET_KEY',
  'signing_key.sealed_private': 'AES-256-GCM under SECRET_KEY',
  'watcher.token_hash': 'SHA-256 of 238 random bits',
  'webhook_secret.sealed_secret': 'AES-256-GCM under SECRET_KEY',
};
/** Columns that look like secrets and are none. */
const publicColumns: Record<string, string> = {
  'activity.digest': 'of the line, to tell an altered one',
  'activity_seal.hash': 'the chain over the activity log',
  'activity_seal.mark': 'an HMAC of a seal, to tell one that was computed by someone else',
  'asked_object.asked_object_id': 'the number of a row',
  'ballot_credential.credential_hash': 'of a public credential',
  'ballot_event.bytes': 'a part of a published archive',
  'ballot_event.credential_hash': 'of a public credential',
  'ballot_event.hash': 'of an event of a published archive',
  'ballot_sum.sum': 'the exclusive or of an HMAC of each ballot, of which none can be told',
  'ballot_trustee.asked_step': 'the step that was asked for: one of five words',
  'ballot_trustee.own_key': 'a public key',
  'brand_logo.content': 'a picture for public pages',
  'foreign_object.key': 'the name of an object of another registry',
  'foreign_source.first_key': 'a public key',
  'foreign_source.next_key': 'a public key',
  'foreign_source.signing_key': 'a public key',
  'history_cut.digest': 'of what is left of a row of the history, to tell an altered one',
  'log_root.hash': 'the published root of a day’s lines',
  'log_root.link': 'a published hash over the roots so far',
  'log_root.seal': 'a published seal of the activity log',
  'log_end.hash': 'the end of that chain, and of the whois journal',
  'row_digest.key': 'the primary key of a row',
  'row_digest.row_digest_id': 'a number',
  'resource_request_question.asked_by': 'which of the staff asked',
  'row_change.digest_as_sealed': 'of a row of the history before personal data was cut out, to check its seal',
  'row_digest.digest': 'of a row or its secret columns, to tell altered ones',
  'log_end.digest': 'a digest of the row',
  'closed_month.sha256': 'of the journal of a closed month, which is kept beside it',
  'data_copy.sha256': 'of a copy of the data of a person, under which its content is kept',
  'document.sha256': 'of a paper, under which its content is kept',
  'invoice.sha256': 'of the paper of an invoice, under which its content is kept',
  'idempotent_answer.key_digest': 'of a key that opens nothing',
  'idempotent_answer.request_digest': 'of a call, to tell another one',
  'login_passkey.public_key': 'a public key',
  'login.cool_down_why': 'a reason',
  'membership_application.registration_key': 'a number of a public register, to find the same organisation again',
  'migration.sha256': 'of a file of the program',
  'notification.digest': 'whether it comes once a day or a week',
  'notification_digest.digest': 'whether of a day or a week',
  'noted_event.hash': 'of an event of a published archive',
  'nrtm_key.public_jwk': 'a public key',
  'published_file.content': 'a published file',
  'replaced_archive.hash': 'of an event of a published archive',
  'rdns_parent.sha256': 'of a zone file, which is published',
  'rpki_checklist.content': 'a signed object, made to be handed on',
  'rpki_checklist.file_hashes': 'of files that a member vouches for in public',
  'rpki_child.identity': 'a certificate, made to be handed on',
  'rpki_child.publisher_identity': 'a certificate, made to be handed on',
  'rpki_child_contact.last_digest': 'of the last message, to tell the same one sent again',
  'rpki_child_key.certificate': 'published',
  'rpki_child_key.public_key': 'a public key',
  'rpki_key.certificate': 'published',
  'rpki_key.public_key': 'a public key',
  'rpki_message.answer': 'a signed message to who asked, for seconds',
  'rpki_object.content': 'a published file',
  'rpki_object.sha256': 'of a published file',
  'rpki_one_time_key.public_key': 'a public key',
  'rrdp_delta.content': 'a published file',
  'rrdp_delta.sha256': 'of a published file',
  'sign_in_failure.key': 'what is counted: a digest',
  'signing_key.public_jwk': 'a public key',
  'stored_file.sha256': 'of a paper, under which its content is kept',
  'voting_right.right_hash': 'SHA-256 of an account, its public credential, and 256 bits that only the voter derives; it opens nothing',
  'watcher.token_prefix': 'the beginning of a token, by which people recognise it',
  'whois_journal.digest': 'of the line, to tell an altered one',
  'whois_follow.key': 'identity of an object, or some numbers',
  'whois_journal.key': 'identity of an object',
  'whois_key.key': 'what finds an object',
  'whois_object.key': 'identity of an object',
  'whois_presence.key': 'identity of an object',
  'whois_task_item.key': 'identity of an object',
};

const line = { action: 'test.plant', summary: 'Planted secrets', traceId: 'c'.repeat(32) };

describe('a secret that gives access', () => {
  let portal: ServedPortal;
  /** Secrets by kind, as a person or a client holds them. They are stored nowhere. */
  const held: Record<string, string> = {};
  /** Secrets as the database stores them. They leave the database in backups only. */
  const kept: Record<string, string> = {};
  let folder: string;

  beforeAll(async () => {
    portal = await servedPortal();
    folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-planted-'));
    const { db, config } = portal;
    const box = openSecretBox(config);
    const { loginId } = (await findLogin(db.read, 'corin'))!;
    held.password = 'planted password of the test';
    held.totpSecret = 'PLANTEDSECRETPLANTEDSECRETPLANTE';
    await db.change(line, async change => {
      await setPassword(change, loginId, held.password!);
      await addAuthenticator(change, config, { loginId, secret: held.totpSecret! });
      for (const [index, code] of (await newRecoveryCodes(change, loginId)).entries()) held[`recovery code ${index}`] = code;
      const wanted = { loginId, email: 'corin@example-au.example', minutes: 30 };
      held.linkToken = (await makeLink(change, { ...wanted, purpose: 'reset-password' })).token;
      kept.registrationHash = '$argon2id$v=19$m=47104,t=1,p=1$cGxhbnRlZA$cGxhbnRlZHJlZ2lzdHJhdGlvbg';
      held.registrationToken = (
        await makeLink(change, { ...wanted, loginId: null, purpose: 'register', asked: { hash: kept.registrationHash } })
      ).token;
      const hash = (): string => randomBytes(32).toString('hex');
      await sql`insert into maintainer_code (account_name, maintainer, code_hash, sent_at, due_at) values ('EXAMPLE-AU', 'maint-sg-other', ${hash()}, now(), now())`.execute(
        change,
      );
      await sql`insert into irt_contact (irt, mailbox, attribute, code_hash) values ('irt-au-example', 'abuse@example.net', 'abuse-mailbox', ${hash()})`.execute(
        change,
      );
      const sealed = (what: string, name: string): Buffer => {
        held[what] = randomBytes(32).toString('hex');
        return box.seal(name, held[what]);
      };
      await sql`with authority as (insert into rpki_ca (kind, account_name, handle, enabled_at) values ('member', 'EXAMPLE-AU', 'planted', now()) returning ca_id)
        insert into rpki_key (ca_id, state, public_key, key_identifier, sealed_private, created_at, state_since)
        select ca_id, 'new', ${randomBytes(32)}, 'planted', ${sealed('RPKI key', sealedKeyName('planted'))}, now(), now() from authority`.execute(
        change,
      );
      await sql`insert into rpki_one_time_key (public_key, sealed_private, made_at) values (${randomBytes(32)}, ${sealed('one-time key', 'one-time key')}, now())`.execute(
        change,
      );
      // Of a person who calls no endpoint here: one of them would replace it.
      const [reader] = await change.rows<{ loginId: string }>(sql`select login_id from login where username = 'nadia'`);
      const { atomUrl } = await makeOwnFeed({ change, caller: { loginId: reader!.loginId }, registry: { config } });
      held.feedAddress = /own\/(.+)\.atom$/.exec(atomUrl)![1]!;
      const watcher = newWatcherToken();
      held.watcherToken = watcher.token;
      await sql`insert into watcher (place, token_hash, token_prefix, login_id, created_at) values ('Planted', ${watcher.hash}, ${watcher.prefix}, ${reader!.loginId}, now())`.execute(
        change,
      );
      held.mailedToken = randomBytes(32).toString('base64url');
      await sendMail(
        change,
        {
          topic: 'login.links',
          recipient: 'olive@example.example',
          subject: 'Planted',
          body: 'Open {link}',
          link: `${config.appUrl}/x/${held.mailedToken}`,
        },
        box,
      );
    });
    for (const model of ['AuthorizationCode', 'AccessToken', 'Session', 'Interaction']) {
      held[model] = randomBytes(32).toString('base64url');
      await new OidcPayloads(db, model).upsert(held[model], { accountId: loginId, jti: held[model] }, 600);
    }
    for (const { privateJwk } of await signingKeys(db.read, box)) held[`private key ${privateJwk.alg}`] = privateJwk.d!;
    held.settingSecretKey = config.secretKey;

    const texts = await db.read.rows<{ what: string; value: string }>(sql`
      select 'password hash' as what, hash as value from login_password where login_id = ${loginId}
      union all select 'link digest', encode(digest, 'hex') from login_link where digest is not null
      union all select 'feed digest', encode(address_digest, 'hex') from announcement_feed
      union all select 'recovery digest', encode(digest, 'hex') from login_recovery_code
      union all select 'sealed totp', encode(sealed_secret, 'hex') from login_totp where login_id = ${loginId}
      union all select 'sealed link', encode(sealed_link, 'hex') from mail where sealed_link is not null
      union all select 'payload id', encode(id, 'hex') from oidc_payload
      union all select 'watcher hash', encode(token_hash, 'hex') from watcher
      union all select 'maintainer code', code_hash from maintainer_code
      union all select 'irt code', code_hash from irt_contact
      union all select 'sealed key', encode(sealed_private, 'hex') from signing_key
      union all select 'sealed RPKI key', encode(sealed_private, 'hex') from rpki_key where sealed_private is not null
      union all select 'sealed one-time key', encode(sealed_private, 'hex') from rpki_one_time_key`);
    for (const [index, { what, value }] of texts.entries()) kept[`${what} ${index}`] = value;
  });
  afterAll(async () => {
    await portal[Symbol.asyncDispose]();
    await fs.rm(folder, { recursive: true, force: true });
  });

  /** Returns which of the given secrets a text contains: as they are, or their bytes in base64. */
  const shownIn = (text: string, secrets: Record<string, string>): string[] =>
    Object.entries(secrets).flatMap(([what, value]) => {
      const forms = [
        value,
        ...(/^[0-9a-f]{24,}$/.test(value)
          ? [Buffer.from(value, 'hex').toString('base64'), Buffer.from(value, 'hex').toString('base64url')]
          : []),
      ];
      return forms.some(form => text.toLowerCase().includes(form.toLowerCase())) ? [what] : [];
    });
  const everything = () => ({ ...held, ...kept });

  test('is planted in every column that could hold it', async () => {
    const columns = await portal.db.read.rows<{ name: string }>(sql`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and (data_type = 'bytea'
        or column_name ~ 'hash|secret|digest|sealed|private|password|token|key$|payload|sha256|asked|cool_down_why|jwk')
        and data_type not like 'timestamp%'
      order by 1`);
    expect(columns.map(({ name }) => name).sort()).toEqual([...Object.keys(secretColumns), ...Object.keys(publicColumns)].sort());
    expect(Object.keys(kept).length).toBeGreaterThan(15);
  });

  test('is in no answer of any route, for any caller, and in no error text', async () => {
    const wrong: string[] = [];
    const look = (where: string, text: string): void => void wrong.push(...shownIn(text, everything()).map(what => `${what} in ${where}`));
    const people = [undefined, ...(await Promise.all(['corin', 'stella', 'olive'].map(name => portal.tokenOf(name))))];
    // The demo's page for kept mail is the person's mailbox: it shows links, and is not there without the demo.
    const routes = portal.routes.filter(({ url }) => url !== '/dev/mail');
    for (const { method, url } of routes)
      for (const token of people) {
        const { body, headers } = await portal.ask(pathFor(url), {
          method,
          headers: {
            ...(token && { authorization: `Bearer ${token}` }),
            ...(/POST|PATCH|PUT/.test(method) && { 'content-type': 'application/json' }),
          },
          ...(/POST|PATCH|PUT/.test(method) && { body: '{}' }),
        });
        look(`${method} ${url}`, body + JSON.stringify(headers));
      }
    for (const [name, value] of Object.entries(held)) {
      // A wrong value is not echoed.
      const { body } = await portal.ask('/api/me/preferences', {
        method: 'PATCH',
        headers: { authorization: `Bearer ${people[1]}`, 'content-type': 'application/json' },
        body: JSON.stringify({ theme: value, [value]: value }),
      });
      look(`the refusal of ${name}`, body);
    }
    expect(wrong).toEqual([]);
  });

  test('is in no export of registrations and no statistics', async () => {
    const token = await portal.tokenOf('corin');
    const wrong: string[] = [];
    for (const kind of ['ipv4', 'ipv6', 'asn'])
      for (const name of ['delegations-export', 'registrations-export']) {
        const { status, body } = await portal.ask(`/api/EXAMPLE-AU/resources/${name}?kind=${kind}&format=csv`, {
          headers: { authorization: `Bearer ${token}` },
        });
        if (status === 200) wrong.push(...shownIn(body, everything()).map(what => `${what} in ${name} ${kind}`));
      }
    expect(wrong).toEqual([]);
    expect((await portal.ask('/metrics')).body).not.toMatch(/\$argon2|eyJ/);
  });

  test('is in no copy of a person’s data', async () => {
    const { loginId } = (await findLogin(portal.db.read, 'corin'))!;
    const contacts = await portal.db.read.selectFrom('contact').select('contactId').where('loginId', '=', loginId).execute();
    const person = { loginId, issuer: portal.config.issuerUri, contactIds: contacts.map(({ contactId }) => contactId) };
    let text = '';
    const filled: string[] = [];
    for (const { files } of copyKinds(portal.db.read, modules, person, readProfile('').retention))
      for (const { table, batches } of files)
        for await (const rows of batches) {
          if (rows.length > 0) filled.push(table);
          text += JSON.stringify(rows);
        }
    expect(filled).toContain('loginRecoveryCode');
    expect(shownIn(text, everything())).toEqual([]);
  });

  test('is neither in the activity log nor in the history of rows nor in the words of a mail', async () => {
    for (const table of ['activity', 'row_change', 'activity_seal', 'task', 'mail']) {
      const columns = table === 'mail' ? sql`to_jsonb(t) - 'sealed_link'` : sql`to_jsonb(t)`;
      const rows = await portal.db.read.rows<{ row: unknown }>(sql`select ${columns} as row from ${sql.table(table)} t`);
      expect(rows.length + (table === 'activity_seal' ? 1 : 0), table).toBeGreaterThan(0);
      expect([table, shownIn(JSON.stringify(rows), everything())]).toEqual([table, []]);
    }
  });

  test('is in the log neither of what went well nor of what went wrong', async () => {
    for (const [name, value] of Object.entries(held)) {
      await portal.ask(`/oidc/auth?code=${encodeURIComponent(value)}&state=${encodeURIComponent(value)}`);
      await portal.ask(`/api/nowhere?${encodeURIComponent(name)}=${encodeURIComponent(value)}`, {
        headers: { authorization: `Bearer ${value.replaceAll(/[^\w.-]/g, '')}` },
      });
    }
    expect(shownIn(portal.lines.join(''), everything())).toEqual([]);
  });

  test('is in a backup only as a hash or as ciphertext', async () => {
    const file = path.join(folder, 'backup.gz');
    await backup(portal.db, file);
    const text = gunzipSync(await fs.readFile(file)).toString();
    expect(shownIn(text, held)).toEqual([]);
    // Proves that the scan finds secrets that are there.
    expect(shownIn(text, kept).length).toBe(Object.keys(kept).length);
    // The keys it opens with are in the environment, not in it.
    expect(text).not.toContain(portal.config.secretKey);
    expect((await fs.stat(file)).mode & 0o077).toBe(0);
  });
});

test('no maintainer hash can be weak: the schema has no place for one, and no MD5 or crypt', async () => {
  const portal = await servedPortal();
  try {
    const places = await portal.db.read.rows<{ name: string }>(sql`
      select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'
        and (table_name || '.' || column_name) ~* 'mntner|maintainer|mnt_by|irt|md5|(?<!en)(?<!de)crypt|auth_value|upd_to' order by 1`);
    // Names of maintainers and irts, which references are of irts, and hashes of codes that were mailed; nothing of what opens a maintainer.
    expect(
      places
        .map(({ name }) => name)
        .filter(name => !/^(?:irt_contact|maintainer_code|maintainer_last_user|maintainer_link|whois_consent)\./.test(name)),
    ).toEqual(['asked_object.maintainer', 'contact.maintainers', 'route.maintainer', 'whois_reference.of_irt']);
    const functions = await portal.db.read.rows(sql`select extname from pg_extension where extname = 'pgcrypto'`);
    expect(functions).toEqual([]);
  } finally {
    await portal[Symbol.asyncDispose]();
  }
});
