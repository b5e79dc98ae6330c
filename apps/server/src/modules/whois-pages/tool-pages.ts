import { whoisPermalink } from '@portal/contract/whois/permalink';
import { formatCount } from '@portal/number-resources';
import { type Content, html } from '../../platform/http/html.ts';
import { badge, sheet } from '../public-pages/index.ts';
import { type AbuseRow, MAX_ADDRESSES, type UnreadLine } from './abuse-list.ts';
import { linked } from './linked.ts';
import { objectsPart } from './object-text.ts';
import { choices, doesOf, levels, lineOf, piecesOf, type Query } from './query-form.ts';
import type { WhoisText } from './whois-text.ts';

type Problem = { why: string; right: string };

const problemNote = (problem: Problem | null): Content =>
  problem && html`<p class="note" role="alert"><b>${problem.why}</b> ${problem.right}</p>`;

/** Rows of the picture of a level, from the largest network to the smallest: where each begins, and how wide its parts are. The middle one is asked for. */
const drawnRows: readonly (readonly [x: number, width: number][])[] = [
  [[2, 44]],
  [[2, 30]],
  [[8, 18]],
  [
    [8, 8],
    [18, 8],
  ],
  [
    [8, 3],
    [13, 3],
    [18, 3],
    [23, 3],
  ],
];
/** Rows that an answer has, by the flag. */
const answeredRows: Readonly<Record<string, readonly number[]>> = { '': [2], '-x': [2], '-l': [1], '-L': [0, 1], '-m': [3], '-M': [3, 4] };

/** Draws what a level answers: networks around, the one that is asked for, and those in it. The word beside it says the same. */
const levelPicture = (flag: string): Content =>
  html`<svg class="level" width="48" height="34" viewBox="0 0 48 34" aria-hidden="true">${drawnRows.flatMap((parts, row) =>
    parts.map(
      ([x, width]) =>
        html`<rect class="${answeredRows[flag]?.includes(row) ? 'answer' : 'other'}" x="${x}" y="${row * 7 + 0.5}" width="${width}" height="4"/>`,
    ),
  )}${flag !== '' && flag !== '-x' && html`<rect class="asked" x="8" y="14.5" width="18" height="4"/>`}</svg>`;

/** The form of a question with flags. @param sources that can be asked here; the field for them is there where there are several */
export function queryForm(query: Query | null, sources: readonly string[] = []): Content {
  return html`<form class="tool" action="/whois/query"><div class="pair"><div class="field"><label for="key">Prefix, range, AS number or name</label><input class="mono" id="key" name="key" value="${query?.key}" maxlength="255" required autocomplete="off" autocapitalize="off" spellcheck="false"></div><div class="field"><label for="types">Object types, all if empty</label><input class="mono" id="types" name="types" value="${query?.types.join(', ')}" maxlength="200" placeholder="inetnum, route" autocomplete="off"></div></div>
<fieldset class="levels"><legend>Level</legend>${levels.map(
    ({ flag, word }) =>
      html`<label>${levelPicture(flag)}<input type="radio" name="level" value="${flag}"${flag !== '' && html` data-flag="${flag}" data-does="${doesOf(flag)}"`}${(query?.level ?? '') === flag && html` checked`}> ${word}${flag !== '' && html` <code>${flag}</code>`}</label>`,
  )}</fieldset>
${
  sources.length > 1 &&
  html`<div class="field"><label for="sources">Sources, ${sources.join(', ')} or all; ${sources[0]} is this registry’s own</label><input class="mono" id="sources" name="sources" value="${query?.sources}" maxlength="200" placeholder="${sources[0]}" autocomplete="off"></div>`
}<fieldset><legend>Answer</legend>${choices.map(
    ({ name, flag, word }) =>
      html`<label><input type="checkbox" name="${name}" value="1" data-flag="${flag}" data-does="${doesOf(flag)}"${query?.chosen.has(name) && html` checked`}> ${word} <code>${flag}</code></label>`,
  )}</fieldset><button class="btn">Run query</button></form>`;
}

/** Keys and flags that mean nothing to a shell, inside quotes. */
const forShells = /^[\w.:,/ -]+$/;

/** The command for port 43, each piece with what it does below; null for a key that a shell would take apart. */
export function commandPieces(query: Pick<Query, 'flags' | 'key'>, host: string): Content {
  if (!forShells.test(lineOf(query))) return null;
  return html`<dl class="pieces">${piecesOf(query, host).map(({ text, does }) => html`<div><dt class="mono">${text}</dt><dd>${does}</dd></div>`)}</dl>`;
}

/** The command for port 43 in one line, for copying. */
export const commandOf = (query: Pick<Query, 'flags' | 'key'>, host: string): string => `whois -h ${host} -- '${lineOf(query)}'`;

/** A question with flags, built from a form; the line for port 43 is beside the answer. */
export function queryPage({
  query,
  sources,
  text,
  problem,
  host,
  address,
}: {
  query: Query | null;
  /** Sources that can be asked here, ours first. */
  sources: readonly string[];
  text: WhoisText | null;
  problem: Problem | null;
  host: string;
  /** Where the same answer is as text. */
  address: string;
}): Content {
  const pieces = query && commandPieces(query, host);
  const command = query && commandOf(query, host);
  return html`<div class="answer"><h1>Build a query</h1><p class="lead">Whois with flags, and the same question for a script.</p></div>${problemNote(problem)}
<div class="columns"><div>${sheet('form', 'Query', { body: queryForm(query, sources) })}</div><aside aria-label="The same question elsewhere">${
    pieces !== null &&
    sheet('take', 'For a script', {
      body: html`<dl class="take"><div><dt>Whois, port 43</dt><dd><code data-copy="${command}">${command}</code></dd></div><div><dt>Piece by piece</dt><dd>${pieces}</dd></div><div><dt>Over HTTPS, as text</dt><dd><code data-copy="${address}">${address}</code></dd></div></dl>`,
    })
  }${sheet('limits', 'Limits', {
    body: html`<p class="pad quiet">Answers with contacts count against the number of people that your address may look up in a day, as on port 43. Choose “Without contacts” if you don’t need them.</p>`,
  })}</aside></div>${
    text &&
    sheet('data', 'Answer', {
      body: html`${text.overLimit && html`<p class="note">Contacts are left out. ${text.overLimit.sentence}</p>`}${
        text.remarks.length > 3
          ? html`<ul class="note">${text.remarks.map(remark => html`<li>${remark}</li>`)}</ul>`
          : text.remarks.map(remark => html`<p class="note">${remark}</p>`)
      }${text.problem ? html`<p class="pad">${text.problem.sentences.join(' ')}</p>` : objectsPart(text.objects, sources[0])}`,
      ...(text.more && { foot: 'There is more than this page shows; port 43 has all of it.' }),
    })
  }`;
}

type Found = { rows: readonly AbuseRow[]; lines: number; without: number; unread: readonly UnreadLine[] };

/** Rows of a table of what has no contact, and of lines that couldn’t be read. */
const SHOWN = 100;

const counted = (count: number, one: string, several: string): string => `${formatCount(count)} ${count === 1 ? one : several}`;

/** Contacts with their addresses, most lines first. */
function byMailbox(rows: readonly AbuseRow[]): { mailbox: string; rows: AbuseRow[]; lines: number }[] {
  const groups = new Map<string, AbuseRow[]>();
  for (const row of rows) if (row.mailbox !== null) groups.set(row.mailbox, [...(groups.get(row.mailbox) ?? []), row]);
  return [...groups]
    .map(([mailbox, members]) => ({ mailbox, rows: members, lines: members.reduce((sum, { lines }) => sum + lines, 0) }))
    .toSorted((a, b) => b.lines - a.lines);
}

/** Addresses that a draft names: the address of a link stays as short as mail programs take it. */
const IN_DRAFT = 40;

/** A draft to a contact that names its addresses. */
const draftTo = ({ mailbox, rows }: { mailbox: string; rows: readonly AbuseRow[] }): string => {
  const names = rows.slice(0, IN_DRAFT).map(({ address, lines }) => `${address}, ${counted(lines, 'line', 'lines')}`);
  const more = rows.length > IN_DRAFT ? [`and ${rows.length - IN_DRAFT} more`] : [];
  const body = [
    'Our logs name these addresses of your network:',
    '',
    ...names,
    ...more,
    '',
    'The lines, with times and time zone:',
    '',
  ].join('\r\n');
  const about = rows.length === 1 ? rows[0]!.address : `${rows.length} of your addresses`;
  return `mailto:${encodeURIComponent(mailbox).replace('%40', '@')}?subject=${encodeURIComponent(`Abuse report: ${about}`)}&body=${encodeURIComponent(body)}`;
};

const listed = (label: string, table: Content): Content =>
  html`<div class="wide" tabindex="0" role="region" aria-label="${label}">${table}</div>`;

/** The same result as a file: the list is still in the box. */
const csvButton = html`<span class="push"><button class="btn plain" form="abuse-list" name="as" value="csv">Get as CSV</button></span>`;

/** Lines that no address was found in. */
const unreadSheet = ({ unread, without }: Pick<Found, 'unread' | 'without'>): Content =>
  unread.length > 0 &&
  sheet('unread', 'Lines that couldn’t be read', {
    head: html`<span class="push">${badge('warning', formatCount(without))}</span>`,
    body: listed(
      'Lines that couldn’t be read, listed',
      html`<table class="unread"><thead><tr><th scope="col" class="num">Line</th><th scope="col">Text</th><th scope="col">Why</th></tr></thead><tbody>${unread.slice(0, SHOWN).map(({ line, text, why }) => html`<tr><th scope="row" class="num">${formatCount(line)}</th><td class="mono">${text}</td><td>${why}</td></tr>`)}</tbody></table>`,
    ),
    foot: `${without > SHOWN ? `The first ${SHOWN} are listed. ` : ''}An address is written such as 198.51.100.7 or 2001:db8::5.`,
  });

function foundSheets({ rows, lines, without, unread }: Found): Content {
  const contacts = byMailbox(rows);
  const others = rows.filter(({ mailbox }) => mailbox === null);
  return html`<p class="lead tool-lead">${counted(lines, 'line', 'lines')}, ${counted(rows.length, 'different address', 'different addresses')}${without > 0 && `, ${counted(without, 'line', 'lines')} without one`}. ${counted(contacts.length, 'contact', 'contacts')} for ${counted(rows.length - others.length, 'address', 'addresses')}.</p>
<div class="stack">${
    contacts.length > 0 &&
    sheet('contacts', 'Contacts for abuse reports', {
      head: csvButton,
      body: listed(
        'Contacts, listed',
        html`<table class="cards found"><thead><tr><th scope="col">Contact</th><th scope="col">Holder</th><th scope="col">Addresses</th><th scope="col" class="num">Lines</th></tr></thead><tbody>${contacts.map(
          contact =>
            html`<tr><th scope="row"><a class="mono" href="${draftTo(contact)}" data-copy="${contact.mailbox}">${contact.mailbox}</a></th><td>${[...new Set(contact.rows.flatMap(({ holder }) => holder ?? []))].join(', ')}</td><td class="addresses">${contact.rows
              .slice(0, 20)
              .map(
                ({ address }) => html`<a class="mono" href="${whoisPermalink(address)}">${address}</a> `,
              )}${contact.rows.length > 20 && `and ${formatCount(contact.rows.length - 20)} more`}</td><td class="num" data-unit="${contact.lines === 1 ? 'line' : 'lines'}">${formatCount(contact.lines)}</td></tr>`,
        )}</tbody></table>`,
      ),
      foot: 'Each contact opens a draft that names its addresses. Add only the lines about them.',
    })
  }${
    others.length > 0 &&
    sheet('without', 'Addresses without a contact here', {
      head: contacts.length > 0 ? html`<span class="push">${badge('plain', formatCount(others.length))}</span>` : csvButton,
      body: listed(
        'Addresses without a contact, listed',
        html`<table class="notes"><tbody>${others.slice(0, SHOWN).map(({ address, note }) => html`<tr><th scope="row"><a class="mono" href="${whoisPermalink(address)}">${address}</a></th><td class="quiet">${linked(note)}</td></tr>`)}</tbody></table>`,
      ),
      ...(others.length > SHOWN && { foot: `The first ${SHOWN} are listed; the CSV has all of them.` }),
    })
  }${unreadSheet({ unread, without })}</div>`;
}

/** Lines of each kind that a list may have, shown while it is empty. */
const abuseExample = ['08:14 sshd: 198.51.100.7', '192.0.2.18,25,spam', '2001:db8::25'].join('\n');

/** The form of a list of addresses. */
export const abuseForm = (list: string): Content =>
  html`<form class="tool" id="abuse-list" method="post" action="/whois/abuse"><div class="field"><label for="list">One address a line. In a log line, the first address counts</label><textarea class="mono" id="list" name="list" rows="10" required spellcheck="false" placeholder="${abuseExample}">${list}</textarea></div><div class="acts"><button class="btn" name="as" value="page">Find contacts</button><button class="btn plain" name="as" value="csv">Get as CSV</button></div></form>`;

/** The contacts for abuse reports of a list of addresses. */
export const abusePage = ({
  list,
  found,
  problem,
  appUrl,
}: {
  list: string;
  found: Found | null;
  problem: Problem | null;
  appUrl: string;
}): Content =>
  html`<div class="answer"><h1>Find abuse contacts</h1>${found ? foundSheets(found) : html`<p class="lead">For a list: addresses, log lines or CSV. The list isn’t kept or logged.</p>`}</div>${problemNote(problem)}
<div class="columns"><div>${sheet('your-list', 'Your list', {
    body: abuseForm(list),
    foot: `At most ${formatCount(MAX_ADDRESSES)} different addresses.`,
  })}</div><aside aria-label="For programs">${sheet('programs', 'For programs', {
    body: html`<div class="pad"><p class="quiet">Post the list as text; the answer is CSV.</p><code data-copy="curl -H 'content-type: text/plain' --data-binary @list.txt ${appUrl}/whois/abuse">curl -H 'content-type: text/plain' --data-binary @list.txt ${appUrl}/whois/abuse</code></div>`,
  })}</aside></div>`;
