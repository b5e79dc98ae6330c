import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import type { Transport } from '../../../adapters/dns/client.ts';
import { codeName, type DnsMessage, type Question, recordTypes } from '../../../adapters/dns/message.ts';
import type { Findings, Target } from './findings.ts';
import { failureOf, textOf } from './answer-words.ts';
import type { CheckTools } from './check-question.ts';

/** An EDNS option for local use (RFC 6891, section 9), which no server implements. */
const unknownOption = 65_001;

/** Says that there is no such name, or no such record. */
const isNegative = ({ code, answers, authority }: DnsMessage): boolean =>
  (code === 3 || code === 0) && answers.length === 0 && !authority.some(({ type }) => type === recordTypes.NS);

/** Runs the checks that need separate queries: recursion, other types, unknown EDNS options, case, transfers. */
export async function checkBehaviour(
  zone: string,
  targets: readonly Target[],
  tools: CheckTools,
  found: Findings,
  raw: CheckReport['raw'],
): Promise<void> {
  const awake = targets.filter(({ soaUdp }) => soaUdp.message);
  const results = await Promise.all(awake.map(target => ask(zone, target, tools, raw)));
  const wrong = (problemOf: (result: Answers) => string | null) =>
    results.flatMap(result => {
      const detail = problemOf(result);
      return detail === null ? [] : [{ server: result.server, detail: `${result.server} (${result.address}) ${detail}` }];
    });
  found.each(
    'noRecursion',
    wrong(({ recursion: { message } }) =>
      message && message.recursionAvailable && message.code !== 5 ? 'offers recursion to anyone' : null,
    ),
    results.filter(({ recursion }) => recursion.message),
  );
  found.each(
    'aaaa',
    wrong(({ aaaa, strange }) =>
      !aaaa.message
        ? `doesn’t answer for AAAA: ${failureOf(aaaa)}`
        : [1, 2, 4, 5].includes(aaaa.message.code)
          ? `answers ${codeName(aaaa.message.code)} for AAAA`
          : strange.message
            ? null
            : `doesn’t answer for a type that it doesn’t know: ${failureOf(strange)}`,
    ),
    results,
  );
  found.each(
    'apexExists',
    wrong(({ aaaa: { message } }) => (message?.code === 3 ? 'answers NXDOMAIN for AAAA of the zone itself' : null)),
    results.filter(({ aaaa }) => aaaa.message),
  );
  found.each(
    'ednsExtras',
    wrong(({ option, version }) =>
      option?.failure
        ? `doesn’t answer a question with an EDNS option that it doesn’t know: ${failureOf(option)}`
        : version?.failure
          ? `doesn’t answer a question with EDNS version 1: ${failureOf(version)}`
          : version?.message && version.message.code !== 16
            ? `answers ${codeName(version.message.code)} to a question with EDNS version 1, in place of BADVERS`
            : null,
    ),
    results.filter(({ option }) => option !== null),
  );
  found.each(
    'negativeSoa',
    awake.flatMap(({ server, address, missing: { message } }) =>
      message && isNegative(message) && !message.authority.some(({ type }) => type === recordTypes.SOA)
        ? [{ server, detail: `${server} (${address}) answers for a missing name without the SOA` }]
        : [],
    ),
    awake.filter(({ missing: { message } }) => message && isNegative(message)),
  );
  found.each(
    'caseKept',
    wrong(({ cased: { message }, mixed }) =>
      message?.question && message.question.spelled !== mixed ? 'changes the case of the question' : null,
    ),
    results.filter(({ cased }) => cased.message),
  );
  found.each(
    'transferClosed',
    wrong(({ transfer: { message } }) =>
      message && message.code === 0 && message.answers.length > 0 ? 'lets anyone transfer the zone' : null,
    ),
    // A server that refuses the connection, or closes it, transfers nothing either.
    results.filter(({ transfer: { message, failure } }) => message ?? ['closed', 'refused'].includes(failure?.kind ?? '')),
  );
}

type Answers = Awaited<ReturnType<typeof ask>>;

/** Asks a server everything that the checks look at, and notes the answers. */
async function ask(zone: string, { server, address, ednsFault }: Target, { client, port, timeoutMs }: CheckTools, raw: CheckReport['raw']) {
  const query = (question: Question, transport: Transport = 'udp') =>
    client.query(address, ednsFault === null ? question : { ...question, edns: false }, { transport, port, timeoutMs });
  const mixed = zone.replaceAll(/[a-z0-9](?=.)/g, (letter, index: number) => (index % 2 ? letter : letter.toUpperCase()));
  const [recursion, aaaa, cased, transfer, strange, option, version] = await Promise.all([
    // In the order of the results below.
    query({ name: 'a.root-servers.net', type: 'A', recursive: true }),
    query({ name: zone, type: 'AAAA' }),
    query({ name: mixed, type: 'SOA' }),
    query({ name: zone, type: 'AXFR', edns: false }, 'tcp'),
    query({ name: zone, type: 'TYPE65280' }),
    ednsFault === null ? query({ name: zone, type: 'SOA', option: unknownOption }) : null,
    ednsFault === null ? query({ name: zone, type: 'SOA', version: 1 }) : null,
  ]);
  for (const [what, result] of [
    ['a.root-servers.net A, recursion desired', recursion],
    [`${zone} AAAA`, aaaa],
    [`${zone} AXFR over TCP`, transfer],
    [`${zone} TYPE65280`, strange],
    [`${zone} SOA with EDNS option ${unknownOption}`, option],
    [`${zone} SOA with EDNS version 1`, version],
  ] as const)
    if (result !== null)
      raw.push({ server: `${server} ${address}`, question: what, milliseconds: result.milliseconds, text: textOf(result) });
  return { server, address, recursion, aaaa, cased, transfer, strange, option, version, mixed };
}
