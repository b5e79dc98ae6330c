import type { AnswerOf } from '@portal/contract';
import { api } from '@portal/contract/api';
import { resourceKinds, type ResourceKind } from '@portal/contract/resources/resource-kinds';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PlainReader, PlainSessions } from '../modules/identity/index.ts';
import { Failure, refuse } from '../platform/failure.ts';
import { type Content, html } from '../platform/http/html.ts';
import type { ReadAs } from '../platform/http/known-reads.ts';
import {
  accountsPart,
  homePart,
  invoicePart,
  invoicesPart,
  kindNames,
  resourcesPart,
  rowsAPage,
  ticketPart,
  ticketsPart,
} from './plain-content.ts';

type Part = { title: string; here: string; lead?: Content; main: Content };
/** A request of a known reader, for the account of its path. */
type Asked = {
  reader: PlainReader;
  base: string;
  params: Record<string, string>;
  query: Record<string, unknown>;
  read: <E>(endpoint: E, query?: Record<string, unknown>) => Promise<AnswerOf<E>>;
};

/**
 * Serves the pages that are read most as plain HTML, for browsers without scripts: home, resources, tickets and invoices of an account. They stand on the
 * provider's session, read by the rules of the contract's calls, and change nothing. See docs/decisions/0095-plain-pages.md.
 */
export function servePlainPages(http: FastifyInstance, { plain, readAs }: { plain: PlainSessions; readAs: ReadAs }): void {
  const page = (path: string, make: (asked: Asked) => Promise<Part>): void => {
    http.get(path, async (request, reply) => {
      const reader = await plain.readerOf(request, reply);
      if (!reader) return reply;
      return answer({ request, reply, reader }, make);
    });
  };

  async function answer(
    { request, reply, reader }: { request: FastifyRequest; reply: FastifyReply; reader: PlainReader },
    make: (asked: Asked) => Promise<Part>,
  ): Promise<FastifyReply> {
    const params = request.params as Record<string, string>;
    const base = params['account'] === undefined ? '/plain' : `/plain/${encodeURIComponent(params['account'])}`;
    const given = request.query as Record<string, unknown>;
    const asked: Asked = {
      reader,
      base,
      params,
      query: given,
      read: (endpoint, query) => readAs(reader.caller, endpoint, { params, ...(query && { query }), traceId: request.traceId }),
    };
    const side = { label: params['account'] ?? 'Accounts', places: placesOf(params['account'] === undefined ? null : base) };
    const { login } = reader;
    const lead = html`Without JavaScript you can read here. <a href="/account">Your login</a>`;
    try {
      const { title, here, lead: own, main } = await make(asked);
      return plain.answer({ request, reply }, 200, { title, here, side, login, lead: own ?? lead, main });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const needsFactor = error.code === 'MFA_REQUIRED' || error.code === 'SECOND_FACTOR_DEMANDED';
      const main = html`<section><div class="body"><p>${needsFactor ? html`<a href="/account/factors">Your second factors</a>` : html`<a href="/plain">Your accounts</a>`}</p></div></section>`;
      const title = error.status === 404 ? 'Not found' : 'This can’t be shown';
      return plain.answer({ request, reply }, error.status, {
        title,
        here: '',
        side,
        login,
        message: `${error.message}.`.replace(/\.\.$/, '.'),
        main,
      });
    }
  }

  page('/plain', async ({ read }) => {
    const accounts = (await read(api.accounts.listAccounts)).filter(({ accountStatus }) => accountStatus !== 'closed');
    return { title: 'Your accounts', here: '/plain', main: accountsPart(accounts) };
  });
  page('/plain/:account', async ({ read, base, params }) => ({
    title: params['account']!,
    here: base,
    main: homePart(base, await read(api.home.getHome)),
  }));
  page('/plain/:account/resources', async ({ read, base, query }) => {
    const kind = resourceKinds.find(name => name === query['kind']) ?? ('ipv4' satisfies ResourceKind);
    const offset = offsetIn(query);
    const answered = await read(api.resources.listDelegations, { kind, offset, limit: rowsAPage });
    return { title: `${kindNames[kind]} delegations`, here: `${base}/resources`, main: resourcesPart(base, kind, offset, answered) };
  });
  page('/plain/:account/tickets', async ({ read, base, params, query }) => {
    const offset = offsetIn(query);
    const answered = await read(api.tickets.listTickets, { account: params['account'], state: 'all', offset, limit: rowsAPage });
    return { title: 'Tickets', here: `${base}/tickets`, main: ticketsPart(base, offset, answered) };
  });
  page('/plain/:account/tickets/:ticketId', async ({ read, base, params }) => {
    const ticket = await read(api.tickets.getTicket);
    if (ticket.accountName !== null && ticket.accountName !== params['account']) throw refuse('NOT_FOUND', { what: 'This ticket' });
    return { title: `#${ticket.ticketId} ${ticket.subject}`, here: `${base}/tickets`, main: ticketPart(ticket) };
  });
  page('/plain/:account/invoices', async ({ read, base }) => ({
    title: 'Billing',
    here: `${base}/invoices`,
    main: invoicesPart(base, await read(api.billing.getBilling)),
  }));
  page('/plain/:account/invoices/:number', async ({ read, base, params }) => {
    const billing = await read(api.billing.getBilling);
    const invoice = billing.invoices.find(({ number }) => number === params['number']);
    if (!invoice) throw refuse('NOT_FOUND', { what: 'This invoice' });
    return { title: invoice.number, here: `${base}/invoices`, main: invoicePart(invoice, billing) };
  });
}

const placesOf = (base: string | null): [string, string][] =>
  base === null
    ? [['/plain', 'Your accounts']]
    : [
        [base, 'Home'],
        [`${base}/resources`, 'Resources'],
        [`${base}/tickets`, 'Tickets'],
        [`${base}/invoices`, 'Billing'],
        ['/plain', 'Your accounts'],
      ];

/** The first row of a page; anything that is no number is the first. */
const offsetIn = ({ offset }: Record<string, unknown>): number =>
  typeof offset === 'string' && /^\d{1,6}$/.test(offset) ? Number(offset) : 0;
