import { type TicketQueue, type TicketState, ticketQueueNames } from '@portal/contract/tickets/queues';
import * as z from 'zod';
import { circuitBreaker } from '../platform/circuit-breaker.ts';
import { outgoingTrace } from '../platform/telemetry/spans.ts';

const PATIENCE_MS = 20_000;
/** Rows of one answer. */
const PAGE = 100;

const Named = z.object({ id: z.coerce.string() });
const Ticket = z.object({
  id: z.coerce.number(),
  Subject: z.string(),
  Status: z.string(),
  Queue: z.object({ Name: z.optional(z.string()), id: z.coerce.string() }),
  Requestor: z.array(Named),
  Cc: z.array(Named),
  LastUpdated: z.string(),
});
const Transaction = z.object({ id: z.coerce.number(), Type: z.string(), Creator: Named, Created: z.string() });
const Attachment = z.object({ ContentType: z.string(), Filename: z.nullish(z.string()), Content: z.nullish(z.string()) });
const page = <Row extends z.ZodType>(row: Row) => z.object({ items: z.array(row), pages: z.nullish(z.coerce.number()) });

type File = { name: string; mediaType: string; content: Buffer };
type Found = {
  trackerId: number;
  queue: TicketQueue;
  subject: string;
  state: TicketState;
  requestors: string[];
  cc: string[];
  updatedAt: string;
};

/** States of Request Tracker's default life cycle; a deleted ticket is one that was rejected, and states of one's own count as open. */
const states: Record<string, TicketState> = {
  new: 'new',
  open: 'open',
  stalled: 'stalled',
  resolved: 'resolved',
  rejected: 'rejected',
  deleted: 'rejected',
};
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

/** Where Request Tracker is, and as which user it is asked. */
type Address = {
  /** With the name of the portal’s user, and its password where there is no token. */
  url: string;
  token: string;
};

/**
 * Request Tracker 5 over REST 2.0.
 * @param queues names of the queues there; those left out are named as in the portal
 */
export function requestTracker({ queues: named, ...address }: Address & { queues: Partial<Record<TicketQueue, string>> }) {
  const { send, all } = restOf(address);
  /** The name of the user that the portal is there, in lower case. */
  const me = decodeURIComponent(new URL(address.url).username).toLowerCase();
  const queueOf = (queue: TicketQueue): string => named[queue] ?? queue;
  let numbers: Promise<Map<string, TicketQueue>> | undefined;
  /** The portal's queues by their number there. */
  const queuesByNumber = (): Promise<Map<string, TicketQueue>> =>
    (numbers ??= all('/queues/all', z.object({ id: z.coerce.string(), Name: z.string() }), { fields: 'Name' }).then(
      rows =>
        new Map(
          rows.flatMap(({ id, Name }) => ticketQueueNames.filter(queue => queueOf(queue) === Name).map(queue => [id, queue] as const)),
        ),
    )).catch((error: unknown) => {
      numbers = undefined;
      throw error;
    });
  async function asFound(ticket: z.output<typeof Ticket>): Promise<Found | null> {
    const queue = (await queuesByNumber()).get(ticket.Queue.id);
    if (!queue) return null;
    const { id, Subject, Status, Requestor, Cc, LastUpdated } = ticket;
    const names = (people: readonly { id: string }[]): string[] => people.map(person => person.id.toLowerCase());
    return {
      trackerId: id,
      queue,
      subject: Subject,
      state: states[Status] ?? 'open',
      requestors: names(Requestor),
      cc: names(Cc),
      updatedAt: LastUpdated,
    };
  }
  const history = (trackerId: number) =>
    all(`/ticket/${trackerId}/history`, Transaction, { fields: 'Type,Creator,Created', order: 'ASC', orderby: 'id' });
  const attachments = (transactionId: number) =>
    all(`/transaction/${transactionId}/attachments`, Attachment, { fields: 'ContentType,Filename,Content' });

  return {
    find: async (portalAddress: string): Promise<number | null> => {
      const [row] = await all('/tickets', z.object({ id: z.coerce.number() }), { query: `RefersTo = ${quoted(portalAddress)}` });
      return row?.id ?? null;
    },
    create: async ({ queue, subject, requestor, cc, portalAddress, text, files }: NewTicket): Promise<number> => {
      const given = { Queue: queueOf(queue), Subject: subject, Requestor: [requestor], Cc: cc, RefersTo: [portalAddress] };
      const made = await send('POST', '/ticket', { ...given, Content: text, ContentType: 'text/plain', Attachments: sent(files) });
      return z.object({ id: z.coerce.number() }).parse(made).id;
    },
    write: async (
      trackerId: number,
      kind: 'correspond' | 'comment',
      { text, files }: { text: string; files: readonly File[] },
    ): Promise<void> => {
      await send('POST', `/ticket/${trackerId}/${kind}`, { Content: text, ContentType: 'text/plain', Attachments: sent(files) });
    },
    setState: async (trackerId: number, state: TicketState): Promise<void> => {
      const answer = await send('PUT', `/ticket/${trackerId}`, { Status: state });
      const said = Array.isArray(answer) ? answer.join(' ') : '';
      // REST 2 answers 200 to a change that the life cycle forbids, and says so in words only.
      if (/permission denied|can't change|isn't a valid/i.test(said))
        throw new Error(`Request Tracker refused the state ${state}: ${said}`);
    },
    read: async (trackerId: number): Promise<Found> => {
      const found = await asFound(Ticket.parse(await send('GET', `/ticket/${trackerId}`)));
      if (!found) throw new Error(`Ticket ${trackerId} of Request Tracker is in a queue that RT_QUEUES doesn’t name`);
      return found;
    },
    changedSince: async (instant: string): Promise<Found[]> => {
      const names = ticketQueueNames.map(queue => `Queue = ${quoted(queueOf(queue))}`).join(' OR ');
      const query = `(${names}) AND LastUpdated >= ${quoted(`${instant.slice(0, 19).replace('T', ' ')} UTC`)}`;
      const fields = 'Subject,Status,Queue,Requestor,Cc,LastUpdated';
      const rows = await all('/tickets', Ticket, { query, fields, orderby: 'LastUpdated', order: 'ASC' });
      return (await Promise.all(rows.map(asFound))).filter(found => found !== null);
    },
    messagesAfter: async (trackerId: number, transactionId: number) => {
      const rows = await history(trackerId);
      const messages = [];
      for (const { id, Type, Creator, Created } of rows) {
        if (id <= transactionId || (Type !== 'Correspond' && Type !== 'Create') || Creator.id.toLowerCase() === me) continue;
        messages.push({ transactionId: id, by: Creator.id.toLowerCase(), at: Created, ...partsOf(await attachments(id)) });
      }
      return { messages, last: Math.max(transactionId, ...rows.map(({ id }) => id)) };
    },
    has: async (trackerId: number, mark: string): Promise<boolean> => {
      const written = (await history(trackerId))
        .filter(({ Creator }) => Creator.id.toLowerCase() === me)
        .filter(({ Type }) => /^(Create|Correspond|Comment)$/.test(Type));
      for (const { id } of written.reverse()) if ((await attachments(id)).some(({ Content }) => Content?.includes(mark))) return true;
      return false;
    },
  };
}

type NewTicket = {
  queue: TicketQueue;
  subject: string;
  requestor: string;
  cc: readonly string[];
  portalAddress: string;
  text: string;
  files: readonly File[];
};

const sent = (files: readonly File[]) =>
  files.map(({ name, mediaType, content }) => ({ FileName: name, FileType: mediaType, FileContent: content.toString('base64') }));

/** Returns the text and the HTML of a message, and the names of its files. */
function partsOf(attachments: readonly z.output<typeof Attachment>[]) {
  const isFile = ({ Filename }: z.output<typeof Attachment>): boolean => (Filename ?? '') !== '';
  const partOf = (type: string): string => attachments.find(each => each.ContentType === type && !isFile(each))?.Content ?? '';
  return { text: partOf('text/plain'), html: partOf('text/html'), files: attachments.filter(isFile).map(({ Filename }) => Filename!) };
}

/** Calls of REST 2.0. @throws Error with the status, and the begin of the answer */
function restOf({ url, token }: Address) {
  const { username, password, origin, pathname } = new URL(url);
  const base = `${origin}${pathname.replace(/\/$/, '')}/REST/2.0`;
  const authorization =
    token === ''
      ? `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`
      : `token ${token}`;

  const whileItAnswers = circuitBreaker('Request Tracker');
  const send = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<unknown> =>
    whileItAnswers(() => call(method, path, body));
  async function call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { ...outgoingTrace(), authorization, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Request Tracker answers ${answer.status} to ${method} ${path.split('?')[0]}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as unknown;
  }
  /** All rows of a list, page after page. */
  async function all<Row extends z.ZodType>(path: string, row: Row, query: Record<string, string>): Promise<z.output<Row>[]> {
    const rows: z.output<Row>[] = [];
    for (let number = 1; ; number++) {
      const search = new URLSearchParams({ ...query, per_page: String(PAGE), page: String(number) });
      const { items, pages } = page(row).parse(await send('GET', `${path}?${search.toString()}`));
      rows.push(...(items as z.output<Row>[]));
      if (items.length < PAGE || (pages != null && number >= pages)) return rows;
    }
  }
  return { send, all };
}
