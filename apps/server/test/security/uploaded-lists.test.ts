import { largestStatement, maxStatementLines } from '@portal/contract/billing/bank-statements';
import { maxAttendees } from '@portal/contract/elections/conferences';
import { maxImportedEntities } from '@portal/contract/nir/entities';
import { maxOwnAnnouncements } from '@portal/contract/routes/own-tables';
import { maxNewRoutes, maxRouteLines, maxRoutesAtOnce } from '@portal/contract/routes/routes';
import { maxRoasAtOnce } from '@portal/contract/rpki/rpki';
import { maxImportedAssignments } from '@portal/contract/customers/customers';
import { maxImmediateUpdates, maxUploadedObjects } from '@portal/contract/whois/whois';
import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendInPieces } from '../pieces.ts';
import { type TestPortal, testPortal } from '../portal.ts';
import { longestTurnOf } from '../thread-costs.ts';

/** The longest, in ms, for which an upload holds up everything else, from its first byte to its answer. */
const MAX_MS = 5;
/** Files of other contents; they are sent again afterwards. */
const ROUNDS = 5;
/** Times that a heavy one is sent before in small, and that share of it. */
const WARM_UPS = 4;
const SMALL = 0.05;

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal(undefined, { WHOIS_MOST_OBJECTS: '1000000', WHOIS_UPLOAD_MEGABYTES_A_DAY: '100000' });
  await (await portal.as('corin'))(api.rpki.enable, { account: 'EXAMPLE-AU' });
});
afterAll(() => portal[Symbol.asyncDispose]());

/** Lines up to a number, and as many characters as fit below a limit. */
const list = (most: number, count: number, head: string, line: (n: number, room: number) => string): string => {
  const room = Math.floor((most - head.length) / count) - 1;
  return [head, ...Array.from({ length: count }, (_, n) => line(n, room).slice(0, room))].join('\n');
};
const x = (length: number): string => 'x'.repeat(Math.max(length, 0));

type Upload = {
  url: string;
  method?: 'POST' | 'PUT';
  as: string;
  /** Of another content each round. @param share of its largest size, where it is heavy */
  body: (round: number, share: number) => object;
  status: number;
  answer?: object;
  /** Sent in small before it is measured, so that it is compiled by then. */
  isHeavy?: boolean;
  /** Done before each, which does not count. */
  before?: () => Promise<unknown>;
};
const statement = (content: (day: string, share: number) => string, status: number, answer?: object): Upload => ({
  url: '/api/staff/bank-statements',
  as: 'stella',
  // Another day, for the lines of a file that was imported before aren't stored again.
  body: (round, share) => ({ fileName: 'a.csv', content: content(`2025-01-${String(10 + round)}`, share) }),
  status,
  ...(answer && { answer }),
});
/** An upload with a share of its largest size before it is measured. */
const heavy = (upload: Upload): Upload => ({ ...upload, isHeavy: true });
const bankHead = 'Date,Amount,Description,Payer,Reference';
const camtEntry = (day: string, words: string): string =>
  `<Ntry><Amt Ccy="AUD">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>${day}</Dt></BookgDt><AddtlNtryInf>${words}</AddtlNtryInf></Ntry>`;

/** Lines where their number is not what is tried: the database takes seconds for the most of them. */
const FEW = 2_000;
const statements: [string, Upload][] = [
  [
    'as many lines as it may have, each as long as there is room',
    heavy(
      statement(
        (day, share) =>
          list(largestStatement * share, maxStatementLines * share, bankHead, (n, room) => `${day},5,${n} ${x(room - 100)},${x(40)},R${n}`),
        200,
        {
          added: maxStatementLines,
        },
      ),
    ),
  ],
  [
    'letters of several bytes',
    heavy(
      statement(
        (day, share) =>
          list(
            (largestStatement * share) / 3,
            FEW * share,
            bankHead,
            (n, room) => `${day},5,${n} ${'表'.repeat(room - 60)},${'表'.repeat(20)},R${n}`,
          ),
        200,
        { added: FEW },
      ),
    ),
  ],
  [
    'nearly all lines left out',
    statement(
      day => [bankHead, ...Array.from({ length: maxStatementLines * 9 }, (_, n) => (n % 100 ? `${day},-1,x` : `${day},1,${n}`))].join('\n'),
      200,
      { leftOut: 178_200 },
    ),
  ],
  ['one line that is long', statement(day => `${bankHead}\n${day},1,${x(largestStatement - 100)}`, 200, { added: 1 })],
  ['quotes', statement(day => `${bankHead}\n${day},1,"${'""'.repeat(largestStatement / 2 - 100)}"`, 200, { added: 1 })],
  ['many columns', statement(day => `${bankHead}${','.repeat(400_000)}\n${day},1,a`, 200, { added: 1 })],
  ['an amount that is long and none', statement(day => `${bankHead}\n${day},${x(largestStatement - 100)},a`, 400)],
  [
    'CAMT.053',
    heavy(
      statement(
        (day, share) => {
          const entries = Array.from({ length: maxStatementLines * share }, (_, n) =>
            camtEntry(day, `${n} ${x(largestStatement / maxStatementLines - 170)}`),
          );
          return `<Document><BkToCstmrStmt><Stmt>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`;
        },
        200,
        { added: maxStatementLines },
      ),
    ),
  ],
];

const attendance = (csv: (round: number, share: number) => string, status: number, answer?: object): Upload => ({
  url: '/api/staff/conferences/CONF-63/attendance',
  as: 'stella',
  body: (round, share) => ({ csv: csv(round, share), mayRemove: true }),
  status,
  ...(answer && { answer }),
});
const attendanceHead = 'email,registered_at,attended';
const lists: [string, Upload][] = [
  [
    'as many people as it may have, with long addresses, all of them others',
    heavy(
      attendance(
        (round, share) =>
          list(3_000_000 * share, maxAttendees * share, attendanceHead, (n, room) => {
            const rest = `@b${round}.example,2027-02-01T10:00:00Z,yes`;
            return `a${n}.${x(Math.min(room - rest.length - 7, 50))}${rest}`;
          }),
        200,
        { added: maxAttendees },
      ),
    ),
  ],
  ['more people than it may have', attendance(() => `${attendanceHead}\n${'a@b.example,2027-02-01T10:00:00Z,no\n'.repeat(80_000)}`, 400)],
  ['lines that are all wrong', attendance(() => list(3_000_000, maxAttendees, attendanceHead, (_, room) => `${x(room - 4)},a,b`), 400)],
  ['one long cell', attendance(() => `${attendanceHead}\n${x(2_999_900)},a,b`, 400)],
  ['many columns', attendance(() => `${attendanceHead}${',a'.repeat(1_400_000)}\na,b,c`, 400)],
];

const organisations = (csv: (round: number) => string, status: number, answer?: object): Upload => ({
  url: '/api/NATREG-XX/nir/entities/imports',
  as: 'nils',
  body: round => ({ csv: csv(round), dryRun: false }),
  status,
  ...(answer && { answer }),
});
const entityHead = 'name,localName,registrationNumber,address,economy,phone,email,handle,remarks';
const files: [string, Upload][] = [
  [
    'as many rows as it may have, each as long as there is room',
    organisations(
      round =>
        list(
          2_900_000,
          maxImportedEntities,
          entityHead,
          (n, room) => `Organisation ${round} ${n} ${x(150)},${x(150)},R${round}-${n},${x(400)},,,,,${x(room - 900)}`,
        ),
      200,
      { stored: true },
    ),
  ],
  [
    'rows that are all wrong',
    organisations(
      () => list(2_900_000, maxImportedEntities, entityHead, (_, room) => `${x(room / 2)},,${x(room / 2 - 100)},,zz,a,b,,`),
      200,
      {
        stored: false,
      },
    ),
  ],
  ['one long cell', organisations(() => `${entityHead}\n${x(2_900_000)}`, 200, { stored: false })],
  ['columns that are none', organisations(() => `${entityHead}${',a'.repeat(1_400_000)}\na,b,c`, 400)],
];

const account = '/api/EXAMPLE-AU';
/** A prefix of the account, and another for each number. */
const prefix = (n: number): string => `2001:db8:${n.toString(16)}::/48`;
const routes = (body: object, status: number, answer?: object): Upload => ({
  url: `${account}/routes/check`,
  as: 'corin',
  body: () => body,
  status,
  ...(answer && { answer }),
});
const lines = (count: number, line: (n: number) => string): { text: string } => ({
  text: Array.from({ length: count }, (_, n) => line(n)).join('\n'),
});
const fieldsThatAreNone = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [`prefi${n}`, 1]));
const plans: [string, Upload][] = [
  [
    'as many routes as it may have, as lines',
    routes(
      lines(maxRoutesAtOnce, n => `${prefix(n)},AS64500`),
      200,
      { counts: { routes: maxRoutesAtOnce } },
    ),
  ],
  [
    'as many lines as it may have, of more routes than that',
    routes(
      lines(maxRouteLines, n => `${prefix(n)},AS64500`),
      200,
      { counts: { routes: maxRoutesAtOnce } },
    ),
  ],
  [
    'lines that are all wrong',
    routes(
      lines(maxRouteLines, n => `8.${n >> 8}.${n & 255}.0/24,AS64500`),
      200,
      { counts: { routes: 0 } },
    ),
  ],
  [
    'more lines than it may have',
    routes(
      lines(47_000, n => `${n % 200}.0.0.0/8,1`),
      400,
    ),
  ],
  [
    'routes without lines',
    routes({ add: Array.from({ length: maxNewRoutes }, (_, n) => ({ prefix: prefix(n), asn: 'AS64500' })) }, 200, {
      counts: { routes: maxNewRoutes },
    }),
  ],
  [
    'route objects',
    routes({ add: Array.from({ length: 500 }, (_, n) => ({ prefix: prefix(n), asn: 'AS64500', roa: false, whois: true })) }, 200, {
      counts: { routes: 500 },
    }),
  ],
  ['thousands of fields that are none', routes(fieldsThatAreNone(9_000), 400)],
  ['thousands of fields that are none, in several objects', routes({ add: Array.from({ length: 9 }, () => fieldsThatAreNone(900)) }, 400)],
  [
    'as many ROAs as a change may have',
    {
      url: `${account}/rpki/roas/check`,
      as: 'corin',
      body: () => ({ add: Array.from({ length: maxRoasAtOnce }, (_, n) => ({ prefix: prefix(n), asn: 'AS64500' })) }),
      status: 200,
      answer: { problems: [] },
    },
  ],
];
const tables: [string, Upload][] = [
  [
    'as many announcements as it may have',
    {
      url: `${account}/routes/bgp-tables`,
      method: 'PUT',
      as: 'corin',
      body: () => lines(maxOwnAnnouncements, n => `${prefix(n)} AS64500${' '.repeat(12)}`),
      status: 200,
      answer: { kept: maxOwnAnnouncements },
    },
  ],
  [
    'lines that are all wrong',
    { url: `${account}/routes/bgp-tables`, method: 'PUT', as: 'corin', body: () => lines(200_000, () => 'abc'), status: 400 },
  ],
];

const object = (n: number, remarks: number): string =>
  `person: Large ${n}\naddress: Brisbane\ncountry: AU\nphone: +61 7 5555 0100\ne-mail: large@example-au.example\nnic-hdl: AUTO-${n}\nmnt-by: MAINT-AU-EXAMPLE\nremarks: ${x(remarks)}\nsource: EXAMPLE\n`;
const objects = (body: object, status: number, answer?: object): Upload => ({
  url: `${account}/whois/uploads`,
  as: 'tess',
  body: () => body,
  status,
  ...(answer && { answer }),
});
/** Tasks of before would be too many beside the next. */
const withoutTasks = (): Promise<unknown> =>
  portal.db.change({ action: 'test', summary: 'Ended tasks', traceId: '0'.repeat(32) }, change =>
    change.rows(sql`update task set state = 'completed', outcome = 'success', finished_at = now() where state <> 'completed'`),
  );
const many = (how: { dryRun: boolean }): Upload => {
  const text = Array.from({ length: maxUploadedObjects }, (_, n) => object(n, 600)).join('\n');
  return { ...objects({ text, ...how }, 200, { objects: maxUploadedObjects, outcomes: null }), before: withoutTasks };
};
const whois: [string, Upload][] = [
  ['one object that is long', objects({ text: object(1, 9_900_000), dryRun: true }, 400)],
  ['as many objects as a text may have', many({ dryRun: true })],
  ['as many, to be written', many({ dryRun: false })],
  [
    'as many objects as are written in one call',
    {
      ...objects(
        { updates: Array.from({ length: maxImmediateUpdates }, (_, n) => ({ text: object(n, 1_500) })), mode: 'best-effort' },
        200,
      ),
      url: `${account}/whois/previews`,
    },
  ],
];

const assignments: Upload = {
  url: `${account}/customers/imports`,
  as: 'corin',
  body: (_round, share) => ({
    csv: list(1_000_000 * share, maxImportedAssignments * share, 'range,netname,customer,visibility,description', (n, room) =>
      [prefix(n + 4_096), `NET-${n}`, `Customer ${n}`, n % 2 === 0 ? 'public' : 'private', x(room - 90)].join(),
    ),
    dryRun: true,
  }),
  status: 200,
  answer: { stored: false },
  isHeavy: true,
};
const customers: [string, Upload][] = [['as many assignments as it may have, half of which whois shows', assignments]];

describe.each([
  ['a file of assignments', customers],
  ['a plan of routes', plans],
  ['a BGP table', tables],
  ['a text of whois objects', whois],
  ['a bank statement', statements],
  ['a list of attendance', lists],
  ['a file of organisations', files],
])('%s holds up nothing', (_, uploads) => {
  test.each(uploads)('with %s', async (_name, { as, body, status, answer, before, isHeavy, ...to }) => {
    const token = await portal.tokenOf(as);
    // What does the work is loaded and compiled before.
    await sendInPieces(portal, { ...to, token }, Buffer.from('{}'));
    if (isHeavy)
      for (let round = ROUNDS; round < ROUNDS + WARM_UPS; round++)
        await sendInPieces(portal, { ...to, token }, Buffer.from(JSON.stringify(body(round, SMALL))));
    const sent: Buffer[] = [];
    let round = 0;
    // Most are short enough the first or second time: the others are made when they are needed.
    const longest = await longestTurnOf(MAX_MS, {
      before: async () => {
        await before?.();
        if (round < ROUNDS) sent.push(Buffer.from(JSON.stringify(body(round, 1))));
      },
      work: async () => {
        const came = await sendInPieces(portal, { ...to, token }, sent[round % ROUNDS]!);
        expect(came.status).toBe(status);
        if (round < ROUNDS && answer) expect(came.answer).toMatchObject(answer);
        round++;
      },
    });
    expect(longest).toBeLessThan(MAX_MS);
  });
});
