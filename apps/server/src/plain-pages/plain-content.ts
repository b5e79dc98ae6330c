import type { AnswerOf } from '@portal/contract';
import type { api } from '@portal/contract/api';
import { invoiceStates, type Invoice } from '@portal/contract/billing/billing';
import { utcDay } from '@portal/contract/days';
import { ticketQueues, ticketStates } from '@portal/contract/tickets/queues';
import { formatMoney, groupDigits } from '@portal/number-resources';
import { facts, section } from '../modules/identity/index.ts';
import { dayInWords } from '../platform/attention.ts';
import { type Content, type Html, html } from '../platform/http/html.ts';

type Answers = {
  home: AnswerOf<typeof api.home.getHome>;
  delegations: AnswerOf<typeof api.resources.listDelegations>;
  tickets: AnswerOf<typeof api.tickets.listTickets>;
  ticket: AnswerOf<typeof api.tickets.getTicket>;
  billing: AnswerOf<typeof api.billing.getBilling>;
};

export const kindNames = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS numbers' } as const;
/** Rows of a list on one page. */
export const rowsAPage = 50;

// Numbers and sums as the portal writes them: no-break blanks between groups of three digits.
const count = (quantity: string | number): string => groupDigits(String(quantity));
const day = (date: string | null): string => (date === null ? '' : dayInWords(date));
const time = (instant: string): string => `${dayInWords(utcDay(instant))}, ${instant.slice(11, 16)} UTC`;
const money = (amount: string, currency: string): string => formatMoney(currency, amount);
const mutedLine = (words: string): Html => html`<p class="quiet">${words}</p>`;
const paragraphs = (text: string): Html[] =>
  text.split(/\n{2,}/).map(part => html`<p>${part.split('\n').map(line => html`${line}<br>`)}</p>`);

/** A table whose first column names the row. */
const table = (label: string, heads: readonly string[], rows: readonly (readonly Content[])[]): Html =>
  html`<div class="table" role="region" aria-label="${label}" tabindex="0"><table><caption>${label}</caption><thead><tr>${heads.map(head => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(([first, ...others]) => html`<tr><th scope="row">${first}</th>${others.map(cell => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;

/** Home: what needs attention, what the account holds, what happened lately. */
export const homePart = (base: string, { attention, resources, recent }: Answers['home']): Html => html`
${section(
  'Needs attention',
  null,
  attention === null
    ? mutedLine('This list can’t be loaded right now.')
    : attention.length === 0
      ? mutedLine('Nothing needs your attention now.')
      : html`<ul class="apart">${attention.map(
          ({ title, detail, due }) => html`<li><b>${title}</b>${due && html` (${day(due)})`}<br>${detail}</li>`,
        )}</ul>`,
)}
${
  resources &&
  section(
    'Resources',
    null,
    facts(
      resources.map(({ kind, delegations, size }) => [
        kindNames[kind],
        html`<a href="${base}/resources?kind=${kind}">${count(delegations)} ${delegations === 1 ? 'delegation' : 'delegations'}</a>${kind !== 'ipv6' && `, ${count(size)} ${kind === 'asn' ? 'numbers' : 'addresses'}`}`,
      ]),
    ),
  )
}
${
  recent &&
  section(
    'Recent activity',
    null,
    recent.lines.length === 0
      ? mutedLine('No activity yet.')
      : facts(recent.lines.map(({ at, by, summary }) => [time(at), `${summary}, ${by}`])),
  )
}`;

/** Delegations of one kind, a page of them. */
export const resourcesPart = (
  base: string,
  kind: keyof typeof kindNames,
  offset: number,
  { rows, total }: Answers['delegations'],
): Html => {
  const pageAt = (place: number): string => `${base}/resources?kind=${kind}${place > 0 ? `&offset=${place}` : ''}`;
  return html`<section><div class="body">
<p>${Object.entries(kindNames).map(([other, name]) => (other === kind ? html`<b>${name}</b> ` : html`<a href="${base}/resources?kind=${other}">${name}</a> `))}</p>
${
  rows.length === 0
    ? mutedLine(`No ${kindNames[kind]} delegations.`)
    : table(
        `${count(total)} ${total === 1 ? 'delegation' : 'delegations'}`,
        ['Resource', 'Type', 'Status', 'Economy', 'Delegated', 'Registrations'],
        rows.map(({ resource, type, statusText, status, economy, delegatedOn, registrations }) => [
          resource,
          statusText ?? type,
          status,
          economy,
          day(delegatedOn),
          count(registrations),
        ]),
      )
}
<p>${offset > 0 && html`<a href="${pageAt(Math.max(0, offset - rowsAPage))}" rel="prev">Previous page</a> `}${offset + rows.length < total && html`<a href="${pageAt(offset + rowsAPage)}" rel="next">Next page</a>`}</p>
</div></section>`;
};

/** Tickets that the reader sees, last changed first. */
export const ticketsPart = (base: string, offset: number, { rows, total }: Answers['tickets']): Html => html`<section><div class="body">
${
  rows.length === 0
    ? mutedLine('No tickets yet. Tickets to the registry appear here.')
    : table(
        `${count(total)} ${total === 1 ? 'ticket' : 'tickets'}`,
        ['Ticket', 'Subject', 'Queue', 'State', 'Last change'],
        rows.map(({ ticketId, subject, queue, state, updatedAt }) => [
          html`<a href="${base}/tickets/${ticketId}">#${ticketId}</a>`,
          subject,
          ticketQueues[queue].label,
          ticketStates[state],
          time(updatedAt),
        ]),
      )
}
<p>${offset > 0 && html`<a href="${base}/tickets?offset=${Math.max(0, offset - rowsAPage)}" rel="prev">Newer tickets</a> `}${offset + rows.length < total && html`<a href="${base}/tickets?offset=${offset + rowsAPage}" rel="next">Older tickets</a>`}</p>
</div></section>`;

/** A ticket with its messages, oldest first. */
export const ticketPart = ({ queue, state, requestor, createdAt, messages, tie }: Answers['ticket']): Html => html`
${section('Ticket', null, facts([['Queue', ticketQueues[queue].label], ['State', ticketStates[state]], ['Opened by', `${requestor}, ${time(createdAt)}`], tie && ['About', tie.text]]))}
${messages.map(({ author, at, text, files }) =>
  section(
    author,
    time(at),
    html`${paragraphs(text)}${files.length > 0 && html`<p class="quiet">Files: ${files.map(({ fileName }) => fileName).join(', ')}. Open the ticket with JavaScript to download them.</p>`}`,
  ),
)}`;

/** Invoices of the account, the newest first. */
export const invoicesPart = (base: string, { invoices, credit, currency, expiryDate }: Answers['billing']): Html => html`
${section(
  'Membership',
  null,
  facts([
    ['Paid until', expiryDate === null ? 'no term' : day(expiryDate)],
    ['Credit', money(credit, currency)],
  ]),
)}
<section><div class="body">${
  invoices.length === 0
    ? mutedLine('No invoices yet.')
    : table(
        'Invoices',
        ['Number', 'Issued', 'Due', 'Total', 'Balance', 'State'],
        invoices.map(invoice => [
          html`<a href="${base}/invoices/${encodeURIComponent(invoice.number)}">${invoice.number}</a>`,
          day(invoice.issuedOn),
          day(invoice.dueOn),
          money(invoice.total, invoice.currency),
          money(invoice.balance, invoice.currency),
          invoiceStates[invoice.state],
        ]),
      )
}</div></section>`;

/** One invoice with its lines, and how to pay it. */
export const invoicePart = (invoice: Invoice, { paymentInstructions }: Answers['billing']): Html => html`
${section(
  'Invoice',
  null,
  facts(
    [
      ['Billed to', invoice.orgName],
      ['Issued', day(invoice.issuedOn)],
      ['Due', day(invoice.dueOn)],
      ['Term', `${day(invoice.periodFrom)} to ${day(invoice.periodTo)}`],
      ['State', invoiceStates[invoice.state]],
      invoice.poNumber !== '' && ['Purchase order', invoice.poNumber],
    ].filter(row => row !== false) as [string, Content][],
  ),
)}
<section><div class="body">${table(
  'Lines',
  ['Description', 'Quantity', 'Unit price', 'Amount'],
  invoice.lines.map(({ description, quantity, unitPrice, amount }) => [
    description,
    count(quantity),
    money(unitPrice, invoice.currency),
    money(amount, invoice.currency),
  ]),
)}</div></section>
${section(
  'Amounts',
  null,
  facts([
    ['Subtotal', money(invoice.subtotal, invoice.currency)],
    ['Tax', money(invoice.tax, invoice.currency)],
    ['Total', money(invoice.total, invoice.currency)],
    ['Paid', money(invoice.paid, invoice.currency)],
    ['Balance', money(invoice.balance, invoice.currency)],
  ]),
)}
${
  Number(invoice.balance) > 0 &&
  section(
    'How to pay',
    null,
    [...paymentInstructions, `Reference: ${invoice.paymentReference}`].map(line => html`<p>${line}</p>`),
  )
}`;

/** The accounts of a person who acts for several, or for none. */
export const accountsPart = (accounts: readonly { accountName: string; orgName: string; accountStatus: string }[]): Html =>
  html`<section><div class="body">${
    accounts.length === 0
      ? mutedLine('You aren’t linked to an account yet.')
      : table(
          'Accounts',
          ['Account', 'Organisation', 'Status'],
          accounts.map(({ accountName, orgName, accountStatus }) => [
            html`<a href="/plain/${encodeURIComponent(accountName)}">${accountName}</a>`,
            orgName,
            accountStatus,
          ]),
        )
  }</div></section>`;
