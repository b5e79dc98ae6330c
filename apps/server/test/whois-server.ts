import fs from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { vi } from 'vitest';
import { readConfig } from '../src/config.ts';
import type { ConfiguredSource } from '../src/modules/foreign-sources/index.ts';
import { answerNrtm3, loadWhois } from '../src/modules/mirrors/index.ts';
import { createElsewhereFinder } from '../src/modules/rdap/index.ts';
import { openPort43, type Port43 } from '../src/modules/whois/index.ts';
import type { Database } from '../src/platform/database/index.ts';
import { createLog } from '../src/platform/log.ts';
import { type Profile, readProfile } from '../src/profile.ts';
import { type Kind, migratedDatabase } from './database/migrated-database.ts';

const profile = readProfile('');

/** Objects that tests of whois ask for: two levels of networks with routes, contacts, a set of each kind that can be expanded. */
export const exampleObjects = `
person:         Pia Person
address:        1 Street
country:        AU
phone:          +61 7 5555 0100
e-mail:         pia@holder.example
nic-hdl:        PP1-EX
notify:         pia@holder.example
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

role:           Abuse Desk
address:        1 Street
country:        AU
phone:          +61 7 5555 0102
e-mail:         desk@holder.example
admin-c:        PP1-EX
tech-c:         PP1-EX
nic-hdl:        AD1-EX
abuse-mailbox:  abuse-c@holder.example
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

mntner:         MAINT-PIA-EX
descr:          Kept by her
admin-c:        PP1-EX
upd-to:         pia@holder.example
auth:           PGPKEY-12345678
+               and a second line
auth:           PGPKEY-87654321
auth:           PORTAL
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

irt:            IRT-HOLDER-EX
address:        1 Street
e-mail:         irt@holder.example
abuse-mailbox:  abuse@holder.example
admin-c:        PP1-EX
tech-c:         PP1-EX
auth:           PORTAL
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

organisation:   ORG-HO1-EX
org-name:       Holder Networks
org-type:       LIR
country:        AU
address:        1 Street
e-mail:         org@holder.example
mnt-ref:        MAINT-PIA-EX
mnt-by:         EXAMPLE-HM
source:         EXAMPLE

inetnum:        198.18.0.0 - 198.18.255.255
netname:        HOLDER-NET
descr:          All of it
country:        AU
org:            ORG-HO1-EX
admin-c:        PP1-EX
tech-c:         PP1-EX
status:         ALLOCATED PORTABLE
notify:         pia@holder.example
mnt-by:         MAINT-PIA-EX
mnt-irt:        IRT-HOLDER-EX
source:         EXAMPLE

inetnum:        198.18.4.0 - 198.18.7.255
netname:        INNER-NET
descr:          A part # Größe
country:        AU
admin-c:        PP1-EX
tech-c:         AD1-EX
abuse-c:        AD1-EX
status:         ASSIGNED NON-PORTABLE
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

inetnum:        198.18.4.0 - 198.18.4.99
netname:        NO-PREFIX-NET
descr:          No prefix
country:        AU
admin-c:        PP1-EX
tech-c:         PP1-EX
status:         ASSIGNED NON-PORTABLE
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

inet6num:       2001:db8::/32
netname:        HOLDER-NET
descr:          Six
country:        AU
admin-c:        PP1-EX
tech-c:         PP1-EX
status:         ALLOCATED PORTABLE
mnt-by:         MAINT-PIA-EX
mnt-irt:        IRT-HOLDER-EX
source:         EXAMPLE

route:          198.18.0.0/16
descr:          Whole
origin:         AS64500
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

route:          198.18.4.0/22
descr:          Part
origin:         AS64500
member-of:      RS-CLAIMED
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

route:          198.18.4.0/22
descr:          Part, elsewhere
origin:         AS64501
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

route6:         2001:db8::/32
descr:          Six
origin:         AS64500
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

aut-num:        AS64500
as-name:        HOLDER-AS
descr:          Holder
country:        AU
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         MAINT-PIA-EX
mnt-irt:        IRT-HOLDER-EX
source:         EXAMPLE

aut-num:        AS64501
as-name:        CLAIMING-AS
descr:          Claims to be a member
country:        AU
member-of:      AS-OUTER
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         MAINT-PIA-EX
mnt-irt:        IRT-HOLDER-EX
source:         EXAMPLE

as-block:       AS64496 - AS64511
descr:          For documents
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         EXAMPLE-HM
source:         EXAMPLE

as-set:         AS-OUTER
descr:          A loop with the inner one
members:        AS-INNER, AS-UNKNOWN
mbrs-by-ref:    MAINT-PIA-EX
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

as-set:         AS-INNER
descr:          Inner
members:        AS64500, AS-OUTER
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

route-set:      RS-CLAIMED
descr:          By prefix and by claim
members:        192.0.2.0/24^+
mbrs-by-ref:    ANY
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

route-set:      RS-RANGES
descr:          Operators behind sets and AS numbers
members:        RS-CLAIMED^24-26, AS64500^20, AS-INNER^+, RS-ROUND^+, AS64500:RS-OWN^+
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

route-set:      AS64500:RS-OWN
descr:          Of an AS
members:        192.0.2.128/25
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

route-set:      RS-ROUND
descr:          Holds itself by another one
members:        203.0.113.0/24, RS-ROUND^-, RS-RANGES^25
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

route-set:      RS-MANY
descr:          Holds itself in a dozen ways
members:        203.0.113.0/24, RS-MANY^24, RS-MANY^25, RS-MANY^26, RS-MANY^27, RS-MANY^28, RS-MANY^29, RS-MANY^24-25, RS-MANY^24-26,
                RS-MANY^24-27, RS-MANY^24-28, RS-MANY^-, RS-MANY^+, AS64500^23-24, AS64500^22-30
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

domain:         18.198.in-addr.arpa
descr:          Reverse
admin-c:        PP1-EX
tech-c:         PP1-EX
zone-c:         PP1-EX
nserver:        ns1.holder.example
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE

inet-rtr:       r1.holder.example
descr:          A router
local-as:       AS64500
ifaddr:         198.18.4.1 masklen 30
admin-c:        PP1-EX
tech-c:         PP1-EX
mnt-by:         MAINT-PIA-EX
source:         EXAMPLE
`;

/** Objects into the database, as `registry import rpsl` brings them. */
export async function loadObjects(db: Database, objects: string): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-rpsl-'));
  try {
    const file = path.join(folder, 'objects.db');
    await fs.writeFile(file, objects);
    await loadWhois(db, { from: file, profile });
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

export type WhoisServer = {
  db: Database;
  port43: Port43;
  /** Sends bytes from an address of this machine, closes the sending side, and answers with all that came back. */
  send: (bytes: string | Buffer, from?: string) => Promise<string>;
  /** One query; the answer without banner and closing line. */
  query: (line: string, from?: string) => Promise<string>;
} & AsyncDisposable;

/** Port 43 of a registry that holds these objects, or of a whole one. */
export async function whoisServer({
  on,
  kind = 'embedded',
  objects = exampleObjects,
  personalLookupsPerDay = 1000,
  registry = { ...profile, personalLookupsPerDay },
  trustedProxies = [],
  memoryMegabytes = 64,
  foreign = [],
  clock = () => new Date(),
}: {
  /** A registry with objects of its own. */
  on?: Database;
  kind?: Kind;
  objects?: string;
  personalLookupsPerDay?: number;
  /** The profile of a registry whose limit of personal data it shares. */
  registry?: Profile;
  trustedProxies?: string[];
  /** 0: without a copy in memory. */
  memoryMegabytes?: number;
  /** Sources of other registries that are mirrored. */
  foreign?: readonly ConfiguredSource[];
  clock?: () => Date;
} = {}): Promise<WhoisServer> {
  const copy = on ? null : await migratedDatabase(kind);
  const db = on ?? copy!.database;
  if (!on) await loadObjects(db, objects);
  const log = createLog('silent');
  const port43 = await openPort43({
    db,
    dbForQuestion: () => db.forQuestion(),
    host: '127.0.0.1',
    port: 0,
    registry,
    release: '1.0',
    trustedProxies,
    memoryMegabytes,
    foreign,
    elsewhere: createElsewhereFinder({ config: readConfig({ NODE_ENV: 'test' }), profile }),
    mirror: asked => answerNrtm3(db.read, asked, registry),
    log,
    clock,
  });
  /** The copy learns of a commit a moment later. */
  const copied = async (): Promise<void> => {
    if (memoryMegabytes === 0) return;
    const [row] = await db.read.rows<{ serial: number }>(sql`select coalesce(max(serial), 0) as serial from whois_journal`);
    await vi.waitUntil(() => port43.copy()?.serial === row!.serial, { timeout: 30_000, interval: 2 });
  };
  const send = async (bytes: string | Buffer, localAddress = '127.0.0.1'): Promise<string> => {
    await copied();
    const socket = net.connect({ port: port43.port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    socket.end(bytes);
    return text(socket);
  };
  return {
    db,
    port43,
    send,
    query: async (line, from) => {
      const answer = await send(`${line}\r\n`, from);
      const banner = `% [${profile.whoisHost}]\n% Whois data copyright terms    ${profile.whoisTermsUrl}\n\n`;
      const closing = `% This query was served by the ${registry.source} Whois Service version 1.0 (${profile.whoisHost})\n\n\n`;
      if (!answer.startsWith(banner) || !answer.endsWith(closing)) throw new Error(`This is no answer:\n${answer}`);
      return answer.slice(banner.length, -closing.length);
    },
    [Symbol.asyncDispose]: async () => {
      await port43.close();
      await copy?.[Symbol.asyncDispose]();
    },
  };
}
